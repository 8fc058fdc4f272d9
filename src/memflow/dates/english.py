"""English date words and phrases."""

from __future__ import annotations

from memflow.dates.language import Language, Row, Rule, either, named, numbered

_NOT_OURS = "!the|my|our|his|her|their|your|its|very"
_ONCE = "!mornings|afternoons|evenings|nights"
# "I'm meeting Bob" is ahead; "I'm loving it" tells nothing.
_DOING = r"(?:not\s+|also\s+)?(?!loving|feeling|enjoying|having)\w{2,}ing"

_DAYS = (
    Row("today|tonight", Rule.DAY, 0),
    Row("this morning|afternoon|evening", Rule.DAY, 0),
    Row("earlier|later today", Rule.DAY, 0),
    Row("yesterday {part}?", Rule.DAY, -1),
    Row("last night|evening", Rule.DAY, -1),
    Row("tomorrow {part}?", Rule.DAY, 1),
    Row("the? day before yesterday", Rule.DAY, -2),
    Row("the? night before last !{weekday}|{period}", Rule.DAY, -2),
    Row("the? day after tomorrow", Rule.DAY, 2),
    Row(f"{_NOT_OURS} last {{weekday}} {{part}}? !of", Rule.WEEKDAY, -1),
    Row("this past {weekday} {part}?", Rule.WEEKDAY, -1),
    Row("the? {weekday} before last", Rule.WEEKDAY, -2),
    Row(f"{_NOT_OURS} next {{weekday}} {{part}}? !of", Rule.WEEKDAY, 1),
    Row("this|the coming|upcoming {weekday} {part}?", Rule.WEEKDAY, 1),
    Row("the? {weekday} after next", Rule.WEEKDAY, 2),
    Row(f"this {{weekday}} {{part}}? {_ONCE}", Rule.WEEKDAY_THIS),
    Row(f"<on|before|after> {{weekday}} {{part}}? {_ONCE}", Rule.WEEKDAY_NEAR, -1),
    Row("<since> {weekday} {part}?", Rule.WEEKDAY, -1),
    Row("<until|till|by> {weekday} {part}?", Rule.WEEKDAY_NEAR, 1),
    Row("{n} {weekday}s ago", Rule.WEEKDAYS_AGO, -1),
)
_PERIODS = (
    Row(f"{_NOT_OURS} last {{period}} !of", Rule.PERIOD, -1),
    Row("this past {period}", Rule.PERIOD, -1),
    Row("the? {period} before last !{weekday}|{month}|{period}", Rule.PERIOD, -2),
    Row("this {period}", Rule.PERIOD, 0),
    Row(f"{_NOT_OURS} next {{period}} !of", Rule.PERIOD, 1),
    Row("this coming {period}", Rule.PERIOD, 1),
    Row("the? {period} after next", Rule.PERIOD, 2),
    Row("earlier this {period}", Rule.PERIOD_PART, -1),
    Row("later this {period}", Rule.PERIOD_PART, 1),
    Row("<over|at|on|during> the weekend", Rule.WEEKEND_NEAR, -1),
    Row("{about}? {exactly}? {n} {unit} ago", Rule.COUNT, -1),
    Row("{n} {unit} ago today", Rule.COUNT_EXACT, -1),
    Row("{about}? {n} or|to {n2} {unit} ago", Rule.COUNT, -1),
    Row("{about}? {exactly}? {n} {unit} from now|today", Rule.COUNT, 1),
    Row("!once|twice|times in {about}? {exactly}? {n} {unit} !or|of", Rule.COUNT_AHEAD, 1),
    Row("in {about}? {n} or|to {n2} {unit}", Rule.COUNT_AHEAD, 1),
)
_MONTHS_AND_SEASONS = (
    Row("last {third}? {month} !#", Rule.MONTH, -1),
    Row("this past {month}", Rule.MONTH, -1),
    Row("this {third}? {month} !#", Rule.MONTH, 0),
    Row("next {third}? {month} !#", Rule.MONTH, 1),
    Row("<in|since|during|back_in> {third}? {month} !#", Rule.MONTH_NEAR, -1, loose=True),
    Row("<from|around|of|between> {third}? {month} !#", Rule.MONTH_NEAR, -1),
    Row("<until|till|by|before|after> {third}? {month} !#", Rule.MONTH_NEAR, 1),
    Row("{third} {month} !#", Rule.MONTH_NEAR, -1),
    Row("!# {third}? {month} of? ,{year}", Rule.MONTH_NEAR, loose=True),
    Row(f"{_NOT_OURS} last {{season}}", Rule.SEASON, -1),
    Row("this past {season}", Rule.SEASON, -1),
    Row("this {season}", Rule.SEASON, 0),
    Row(f"{_NOT_OURS} next {{season}}", Rule.SEASON, 1),
    Row("this coming {season}", Rule.SEASON, 1),
    Row("{season} of? {year}", Rule.SEASON),
)
_DATES = (
    Row("{named_day}? ,{month} the? {day} !{counted}", Rule.DATE),
    Row("<on|since|until|by> {month} the? {day} !{counted}", Rule.DATE, loose=True),
    Row("{named_day}? ,{month} the? {day} of? ,{year}", Rule.DATE, loose=True),
    Row("{named_day}? ,the? {day} {month}", Rule.DATE),
    Row("{named_day}? ,the? {day} of {month}", Rule.DATE, loose=True),
    Row("{named_day}? ,the? {day} of? {month} of? ,{year}", Rule.DATE, loose=True),
    Row("the? week of|from the? {day} of? {month} ,{year}?", Rule.WEEK_OF),
    Row("the? week of|from {month} the? {day} ,{year}?", Rule.WEEK_OF),
    Row(
        "<on|since|until|by> the {ordinal} "
        "=and|at|with|we|i|he|she|they|it|for|in|to|but|because|when|so|my|our",
        Rule.DAY_OF_MONTH,
        -1,
    ),
    Row(
        "!total|sum|number|amount|population <in|since|from|until|till|of|year|before|after|by"
        "|during|between|early|mid|late> {bare_year} !{counted}",
        Rule.YEAR,
    ),
)

ENGLISH = Language(
    code="en",
    rows=_DAYS + _PERIODS + _MONTHS_AND_SEASONS + _DATES,
    weekdays=numbered(
        "monday mon",
        "tuesday tues tue",
        "wednesday wed",
        "thursday thurs thur thu",
        "friday fri",
        "saturday sat",
        "sunday sun",
    ),
    months=numbered(
        "january jan",
        "february feb",
        "march mar",
        "april apr",
        "may",
        "june jun",
        "july jul",
        "august aug",
        "september sept sep",
        "october oct",
        "november nov",
        "december dec",
        start=1,
    ),
    short_months={},
    seasons=numbered("winter", "spring", "summer", "autumn fall"),
    units=named(
        day="day days",
        week="week weeks",
        weekend="weekend weekends",
        month="month months",
        year="year years",
    ),
    periods=named(week="week", weekend="weekend", month="month", year="year"),
    numbers=numbered(
        "a an one",
        *"two three four five six seven eight nine ten eleven twelve".split(),
        start=1,
    )
    | {"fifteen": 15, "twenty": 20, "thirty": 30},
    vague=numbered("a_couple_of a_couple couple_of couple", "just_a_few a_few few", start=2)
    | {"several": 5},
    about=tuple(
        "about around roughly approximately almost nearly over more_than less_than some maybe "
        "like at_least up_to".split()
    ),
    exactly=("exactly", "precisely"),
    thirds=numbered("early the_beginning_of the_start_of", "mid the_middle_of", "late the_end_of"),
    first_of_month=(),
    parts_of_day=("morning", "afternoon", "evening", "night"),
    counted=tuple(
        "people persons guests users students miles km kg hours minutes seconds times dollars "
        "euros pounds percent points words steps calories items pages meters feet units".split()
    ),
    ambiguous=frozenset("may march mar jan dec mon wed sat sun".split()),
    past=either(
        "was were did didn['’]t had went got came saw made took gave found felt met told said "
        "bought brought thought left kept began won lost ate drank spent sent ran wrote sold "
        "taught caught heard held drove flew broke chose fell grew knew threw slept paid built "
        "became swam sang rode woke wore stole drew forgot hid spoke stood understood fought "
        "meant shot rang beat ago "
        "(?!need|feed|speed|indeed|excited|interested|scheduled|planned|hundred|supposed)\\w{2,}ed"
    ),
    future=either(
        "will won['’]t going_to gonna plan planning plans hope hoping want_to need_to have_to "
        "has_to have_an? has_an? have_my let['’]s can['’]t_wait looking_forward upcoming due "
        "deadline scheduled should see_you remind supposed_to might tomorrow "
        f"(?:am|is|are)_{_DOING}"
    )
    + rf"|['’](?:ll|(?:m|re|s)\s+{_DOING})(?!\w)"
    # "The exam is on Friday": right before the mention
    + r"|(?:\b(?:is|are|be)|['’]s)\s+(?:on\s+)?$",
    asked=(
        r"(?:how many|number of|count of)(?: (?:more|full|whole|total|calendar))* {unit}"
        r"(?! (?:a|per|each|every) )",
        r"in {unit}(?=\s*(?:$|[?.,;!)]))",
    ),
    markers=frozenset("the and is was i my with to of on in we you it that".split()),
    day_first=False,
)
