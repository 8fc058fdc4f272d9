"""Spanish date words and phrases. Words are written folded ("manana", "ano")."""

from __future__ import annotations

from memflow.dates.language import Language, Row, Rule, either, named, numbered

_PAST = "pasado|pasada"
_COMING = "proximo|proxima"
_LAST = "ultimo|ultima"
_THIS = "este|esta"

_DAYS = (
    Row("hoy !en", Rule.DAY, 0),
    Row("hoy {part}", Rule.DAY, 0),
    Row("esta manana|tarde|noche", Rule.DAY, 0),
    Row("ayer {part}?", Rule.DAY, -1),
    Row("anoche", Rule.DAY, -1),
    Row("anteayer|antier|antes_de_ayer|antes_ayer|anteanoche {part}?", Rule.DAY, -2),
    # "la mañana", "una mañana", "de mañana": the morning
    Row(
        "!la|una|esta|esa|aquella|cada|toda|media|de|las|por|buena|otra|pasado manana {part}?",
        Rule.DAY,
        1,
    ),
    Row("pasado manana {part}?", Rule.DAY, 2),
    Row(f"{{weekday}} {_PAST} {{part}}?", Rule.WEEKDAY, -1),
    Row(f"<el> {_LAST}|pasado {{weekday}} {{part}}?", Rule.WEEKDAY, -1),
    Row("{weekday} antepasado", Rule.WEEKDAY, -2),
    Row(f"{_COMING} {{weekday}} {{part}}?", Rule.WEEKDAY, 1),
    Row(f"{{weekday}} {_COMING}|que_viene {{part}}?", Rule.WEEKDAY, 1),
    Row("este {weekday} {part}?", Rule.WEEKDAY_THIS),
    Row("!desde|hasta <el> {weekday} {part}? !de", Rule.WEEKDAY_NEAR, -1),
    Row("<desde> el {weekday} {part}?", Rule.WEEKDAY, -1),
    Row("<hasta> el {weekday} {part}?", Rule.WEEKDAY_NEAR, 1),
)
_PERIODS = (
    Row(f"{{period}} {_PAST}", Rule.PERIOD, -1),
    Row(f"<el|la> {_PAST} {{period}}", Rule.PERIOD, -1),
    Row("<el|este> ultimo fin_de_semana|finde", Rule.PERIOD, -1),
    Row("{period} antepasado|antepasada", Rule.PERIOD, -2),
    Row(f"{_COMING} {{period}}", Rule.PERIOD, 1),
    Row(f"{{period}} {_COMING}|que_viene|que_entra", Rule.PERIOD, 1),
    Row(f"{_THIS} {{period}} !{_PAST}", Rule.PERIOD, 0),
    Row("<el|durante_el> fin_de_semana|finde !de", Rule.WEEKEND_NEAR, -1),
    Row("hace {about}? {exactly}? {n} {unit} !y_medio|y_media", Rule.COUNT, -1),
    Row("hoy hace {n} {unit}", Rule.COUNT_EXACT, -1),
    Row("{about}? {exactly}? {n} {unit} atras", Rule.COUNT, -1),
    Row("hace {about}? {n} o|a {n2} {unit}", Rule.COUNT, -1),
    Row("dentro de {about}? {exactly}? {n} {unit}", Rule.COUNT, 1),
    Row("de aqui a {about}? {exactly}? {n} {unit}", Rule.COUNT, 1),
    Row("en {about}? {exactly}? {n} {unit} !de|o", Rule.COUNT_AHEAD, 1),
)
_MONTHS_AND_SEASONS = (
    Row("{month} pasado", Rule.MONTH, -1),
    Row("<el|en> pasado|ultimo {month}", Rule.MONTH, -1),
    Row("proximo {month}", Rule.MONTH, 1),
    Row("{month} proximo|que_viene", Rule.MONTH, 1),
    Row("este {month}", Rule.MONTH, 0),
    Row("<en|desde|durante|el_mes_de|entre> {month}", Rule.MONTH_NEAR, -1),
    Row("<hasta> {month}", Rule.MONTH_NEAR, 1),
    Row("{third} {month}", Rule.MONTH_NEAR, -1),
    Row("{month} de|del? ,{year}", Rule.MONTH_NEAR),
    Row(f"{{season}} {_PAST}", Rule.SEASON, -1),
    Row(f"<el|la> {_LAST}|{_PAST} {{season}}", Rule.SEASON, -1),
    Row(f"{_COMING} {{season}}", Rule.SEASON, 1),
    Row(f"{{season}} {_COMING}|que_viene", Rule.SEASON, 1),
    Row(f"{_THIS} {{season}}", Rule.SEASON, 0),
    Row("{season} de|del {year}", Rule.SEASON),
)
_DATES = (
    Row("{named_day}? ,dia? {day} de {mon}", Rule.DATE),
    Row("{named_day}? ,dia? {day} de? {mon} de|del? ,{year}", Rule.DATE),
    Row("{named_day}? ,dia? {day} {month} {year}", Rule.DATE),
    Row("semana del dia? {day} de {month}", Rule.WEEK_OF),
    Row("semana del dia? {day} de {month} de|del {year}", Rule.WEEK_OF),
    Row("<el> dia {day} !de|del|#", Rule.DAY_OF_MONTH, -1),
    Row("<en|desde|hasta|de|del|ano|durante|entre|desde_el> {bare_year} !{counted}", Rule.YEAR),
)

SPANISH = Language(
    code="es",
    rows=_DAYS + _PERIODS + _MONTHS_AND_SEASONS + _DATES,
    weekdays=numbered(*"lunes martes miercoles jueves viernes sabado domingo".split()),
    months=numbered(
        *"enero febrero marzo abril mayo junio julio agosto".split(),
        "septiembre setiembre",
        *"octubre noviembre diciembre".split(),
        start=1,
    ),
    short_months=numbered(
        *"ene feb mar abr may jun jul ago".split(), "sept sep", *"oct nov dic".split(), start=1
    ),
    seasons=numbered("invierno", "primavera", "verano", "otono"),
    units=named(
        day="dia dias",
        week="semana semanas",
        weekend="fin_de_semana fines_de_semana finde findes",
        month="mes meses",
        year="ano anos",
    ),
    periods=named(week="semana", weekend="fin_de_semana finde", month="mes", year="ano"),
    numbers=numbered(
        "un una uno",
        *"dos tres cuatro cinco seis siete ocho nueve diez once doce".split(),
        start=1,
    )
    | {"quince": 15, "veinte": 20, "treinta": 30},
    vague=numbered(
        "un_par_de",
        "unos unas algunos algunas pocos pocas unos_pocos unas_pocas unos_cuantos unas_cuantas",
        start=2,
    )
    | {"varios": 5, "varias": 5},
    about=tuple(
        "casi mas_de menos_de cerca_de alrededor_de aproximadamente mas_o_menos unos unas "
        "como al_menos".split()
    ),
    exactly=("exactamente", "justo", "precisamente"),
    thirds=numbered(
        "principios_de inicios_de comienzos_de el_inicio_de el_principio_de",
        "mediados_de",
        "finales_de fines_de el_final_de el_fin_de",
    ),
    first_of_month=("primero",),
    parts_of_day=(
        *("por_la_manana", "por_la_tarde", "por_la_noche", "en_la_manana", "en_la_tarde"),
        *("en_la_noche", "de_madrugada", "a_mediodia", "al_mediodia", "temprano"),
    ),
    counted=tuple(
        "personas invitados alumnos usuarios euros pesos dolares kilometros km kg horas minutos "
        "veces puntos palabras pasos calorias paginas metros".split()
    ),
    ambiguous=frozenset(),
    past=either(
        "fui fue fuimos fueron era eran estaba estaban estuve estuvo tuve tuvo tuvimos hice hizo "
        "hicimos vi vio vimos vino vine dije dijo hace pude pudo di dio ayer "
        "(?!\\w*[aei]ré)\\w{2,}[éó] \\w{2,}(?:aron|ieron|aba|aban)"
    ),
    future=either(
        "voy va_a vamos van_a iré irá iremos será tendré tendrá haré haremos "
        "tengo_que tengo_una? debo quiero espero pienso necesito nos_vemos \\w+[aei](?:ré|rán?)"
    )
    + r"|(?<!\w)(?:es|son|será)\s+(?:el\s+)?$",
    asked=(
        r"(?:cuantos|cuantas|numero de)(?: mas)? {unit}(?! (?:por|al|a la|cada) )",
        r"en {unit}(?=\s*(?:$|[?.,;!)]))",
    ),
    markers=frozenset("el los las y en un una de del que con para yo mi fue no se lo".split()),
    day_first=True,
)
