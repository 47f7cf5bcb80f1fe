"""A tour of Explore for those who open it for the first time in their browser."""

from pages.learn.content import content
from pages.learn.widgets import component

draw_tour = component("tour")


def tour() -> None:
    """Offer it; the browser remembers that it was offered and never asks again."""
    words = content().tour
    steps = words["steps"]
    rest = {key: text for key, text in words.items() if key != "steps"}
    draw_tour(data={"words": rest, "steps": steps}, key="tour_of_explore")
