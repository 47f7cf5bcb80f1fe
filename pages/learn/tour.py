"""A tour of Explore for people who open it for the first time."""

from pathlib import Path

from pages.shared.lessons.content import content
from pages.shared.ui.component import component

draw_tour = component(Path(__file__).with_name("parts"), "tour")


def tour() -> None:
    """Offer the tour once; the browser remembers that it was offered."""
    words = content().tour
    steps = words["steps"]
    rest = {key: text for key, text in words.items() if key != "steps"}
    draw_tour(data={"words": rest, "steps": steps}, key="tour_of_explore")
