"""Read from a column's name what it may be: an entity, a time, a number, a target."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

# Things that there are several of, with several rows each.
ENTITY = (
    "task|group|cluster|panel|series|school|class ?room|teacher|pupil|student|shop|"
    "store|branch|outlet|chain|restaurant|hotel|bank|ward|clinic|hospital|doctor|"
    "subject|patient|person|individual|respondent|participant|worker|employee|player|"
    "household|family|site|station|location|plant|factory|machine|device|sensor|engine|"
    "pump|turbine|reactor|region|province|state|county|country|nation|city|town|"
    "municipality|neighbou?rhood|district|precinct|commune|firm|company|industry|"
    "sector|customer|client|user|account|unit|team|club|league|conference|farm|plot|"
    "lab|laboratory|batch|lot|symbol|ticker|stock|fund|portfolio|product|item|sku|"
    "brand|route|line|road|lake|river|watershed|well|tree|animal|cow|mouse|rat|dog|"
    "variety|cultivar|airline|airport|court|judge|taster|rater|assessor|department"
)
NUMBERED = "id|ids|code|nr|no|num|number|key|fips|abb|abbr|abbrev|name|idx|index"
ENTITY_NAME = re.compile(rf"({ENTITY})s?( ?({NUMBERED}))?")
IDENTIFIER = re.compile(
    rf"({NUMBERED}|pid|uid|gid|identifier|idcode|id code|zip|zip ?code|postcode)"
    r"|[a-z]+( ?id| ?code| ?fips)"
)
NOT_IDENTIFIER = re.compile(
    r".*(paid|said|grid|bid|covid|acid|valid|hybrid|liquid|solid|humid|thyroid|steroid|"
    r"lipid|fluid|rapid|void|aid|maid|rigid|mid|kid|did|rid)"
)
ROW = re.compile(
    r"|column \d+|unnamed( \d+)?|row( ?(names?|id|nr|no|number|index))?|index|obs|"
    r"observation|case|record|nr|no|number|sn|serial( ?no)?|level \d+"
)
TIME = re.compile(
    r"(year|yr|yyyy|month|mth|day|date|dates|week|quarter|qtr|time|datetime|timestamp|"
    r"t|period|hour|minute|season|decade|wave|round|trial|visit|semester|term|dow|"
    r"weekday)s?( ?(id|no|nr|number|index))?|(start|end|test|birth) ?(date|time|year)"
)
ATTRIBUTE = re.compile(  # describes a row, and names nobody
    r"(sex|gender|race|ethnicity|colou?r|smoker|married|marital.*|education|weather|"
    r"status|type|kind|category|level|size|occupation|workstat|religion|language|"
    r"currency|party|side|direction|month|weekday|treatment|condition|diet|origin|"
    r"species|label|diagnosis|target|class|grade)s?"
)
# One of these is what is to be predicted, wherever it is.
TARGET = re.compile(
    r"y|target|outcome|response|label|class|diagnosis|dependent( variable)?"
)
# Often to be predicted, and often not: a second sign is needed.
OFTEN = re.compile(
    r".*\b(score|scores|rating|ratings|price|prices|sales|sold|output|result|yield|wage|"
    r"wages|salary|fare|rent|mpg|revenue|earnings|gdp|gsp|demand|generation|species|"
    r"fails?|failed|failure|defects?|churn|survived|died|mortality|approved?)\b.*"
)
UNTIL = re.compile(r"(time|minutes|hours|days|weeks|months|years) (to|until|till) .*")
SIDE = re.compile(
    r".*\b(cut|rival|competitors?|cpi|alternative|index|deflator|lag)\b.*"
)
PERHAPS = re.compile(r"choice|votes?|severity|deaths|births|accidents")
TOTAL = re.compile(r"(total|overall|mean|average|sum) (.* )?(?P<last>\S+)")
LOG = re.compile(r"(log|ln|l)[ _]?(?P<base>.{3,})", re.IGNORECASE)
FAMILY = 4  # columns that begin with the same word
CLASSES = re.compile(r"target|label|class|classes|species|diagnosis")
TARGETS = re.compile(
    r"(y|target|task|output|out)[ _]?(?P<number>\d{1,6})", re.IGNORECASE
)
RATERS = re.compile(
    r"(taster|rater|judge|assessor|expert|respondent)[ _]?(?P<number>\d{1,6})", re.I
)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")


@lru_cache(maxsize=4096)
def words_of(name: str) -> str:
    """Split a name into lower-case words: "ShopNo", "shop_no" and "shop no" alike."""
    return " ".join(WORD.findall(name[:200])).lower()


def entity_points(name: str) -> float:
    """How strongly a name suggests a column of tasks, from -3 to 3."""
    words = words_of(name)
    if ENTITY_NAME.fullmatch(words):
        return 3.0
    if ATTRIBUTE.fullmatch(words):
        return -3.0
    if is_identifier(name):
        return 2.0
    last = words.rpartition(" ")[2]
    return 2.0 if last and ENTITY_NAME.fullmatch(last) else 0.0


def target_points(name: str) -> float:
    """How strongly a name suggests a target, from 0 to 3."""
    words = words_of(name)
    if TARGET.fullmatch(words):
        return 3.0
    if UNTIL.fullmatch(words):
        return 2.5
    return 2.0 if OFTEN.fullmatch(words) and not SIDE.fullmatch(words) else 0.0


def hints(names: Sequence[str]) -> dict[str, float]:
    """Compare the names with each other for hints at targets, from -0.5 to 1.

    The total of something that another column has a part of (``total_UPDRS`` beside
    ``motor_UPDRS``), the logarithm of a likely target and a few words speak for a
    column, a family of measurements (``shimmer_1``, …) against it.
    """
    words = {name: words_of(name) for name in names}
    families = Counter(text.partition(" ")[0] for text in words.values())
    ends = Counter(text.rpartition(" ")[2] for text in words.values())
    found = {}
    for name, text in words.items():
        total = TOTAL.fullmatch(text)
        log = LOG.fullmatch(name)
        points = 1.0 * (total is not None and ends[total["last"]] > 1)
        likely = log is not None and target_points(log["base"]) > 0
        points += 0.75 * (likely or PERHAPS.fullmatch(text) is not None)
        points -= 0.5 * (families[text.partition(" ")[0]] >= FAMILY)
        found[name] = points
    return found


def coordinates(names: Sequence[str]) -> set[str]:
    """Columns x, y and z, which are places or lengths: y is no target then."""
    found = {name for name in names if words_of(name) in ("x", "y", "z")}
    return found if len(found) == 3 else set()


def is_identifier(name: str) -> bool:
    """Whether a name is that of a code, whose values cannot be added up."""
    words = words_of(name)
    if ENTITY_NAME.fullmatch(words):
        return re.search(rf"({NUMBERED})$", words) is not None
    return bool(IDENTIFIER.fullmatch(words)) and not NOT_IDENTIFIER.fullmatch(words)


def is_time(name: str) -> bool:
    """Whether a name is that of a date or part of one."""
    return TIME.fullmatch(words_of(name)) is not None


def is_row_number(name: str) -> bool:
    """Whether a name is that of a row number."""
    return ROW.fullmatch(words_of(name)) is not None


def base_names(name: str) -> tuple[str, ...]:
    """Return names from which a column may be computed: ``fare`` for ``lfare``."""
    found = []
    for pattern in (r"(?:log|ln|l|c|d|g)[ _]?(.{2,})", r"(.{2,}?)(?:sq|[ _]?\d|_lag)"):
        match = re.fullmatch(pattern, name)
        if match:
            found.append(match.group(1))
    return tuple(found)
