"""Portuguese date words and phrases, of Brazil and of Portugal. Words are written folded."""

from __future__ import annotations

from memflow.dates.language import Language, Row, Rule, either, named, numbered

# "a segunda vez", "na quinta temporada": ordinals, not weekdays.
_NO_ORDINAL = (
    "!vez|parte|fase|etapa|linha|rodada|temporada|tentativa|semana|edicao|serie|posicao|aula"
    "|feira_da|pagina|casa|camada|opcao|pessoa|do|da|dos|das"
)
_PAST = "passado|passada"
_COMING = "proximo|proxima"
_THIS = "este|esta|neste|nesta|esse|essa|nesse|nessa|deste|desta|desse|dessa"

_DAYS = (
    Row("hoje !em", Rule.DAY, 0),
    Row("hoje {part}", Rule.DAY, 0),
    Row("esta|nesta|essa|nessa manha|tarde|noite", Rule.DAY, 0),
    Row("ontem {part}?", Rule.DAY, -1),
    Row("anteontem|antes_de_ontem|antontem {part}?", Rule.DAY, -2),
    Row("noite passada", Rule.DAY, -1),
    Row("amanha {part}?", Rule.DAY, 1),
    Row("depois de amanha", Rule.DAY, 2),
    Row(f"{{weekday}} {_PAST} {{part}}?", Rule.WEEKDAY, -1),
    Row("<no|na|neste|nesta|o|a> ultimo|ultima|passado|passada {weekday}", Rule.WEEKDAY, -1),
    Row("{weekday} retrasado|retrasada", Rule.WEEKDAY, -2),
    Row(f"{_COMING} {{weekday}} {{part}}?", Rule.WEEKDAY, 1),
    Row(f"{{weekday}} que vem|{_COMING}", Rule.WEEKDAY, 1),
    Row(f"{_THIS} {{weekday}} {{part}}? {_NO_ORDINAL}", Rule.WEEKDAY_THIS),
    Row(f"<no|na> {{weekday}} {{part}}? {_NO_ORDINAL}", Rule.WEEKDAY_NEAR, -1),
    Row(f"<desde> o|a? {{weekday}} {_NO_ORDINAL}", Rule.WEEKDAY, -1),
    Row(f"<ate> o|a? {{weekday}} {_NO_ORDINAL}", Rule.WEEKDAY_NEAR, 1),
)
_PERIODS = (
    Row(f"{{period}} {_PAST}", Rule.PERIOD, -1),
    Row("<no|o> ultimo fim_de_semana|final_de_semana", Rule.PERIOD, -1),
    Row("{period} retrasado|retrasada", Rule.PERIOD, -2),
    Row(f"{_COMING} {{period}}", Rule.PERIOD, 1),
    Row(f"{{period}} que vem|{_COMING}", Rule.PERIOD, 1),
    Row(f"{_THIS} {{period}}", Rule.PERIOD, 0),
    Row("<no|durante_o> fim_de_semana|final_de_semana !#", Rule.WEEKEND_NEAR, -1),
    Row("ha|faz {about}? {exactly}? {n} {unit} !de|e_meio|e_meia", Rule.COUNT, -1),
    Row("ha|faz hoje {n} {unit}", Rule.COUNT_EXACT, -1),
    Row("{about}? {exactly}? {n} {unit} atras", Rule.COUNT, -1),
    Row("ha|faz {about}? {n} ou|a {n2} {unit}", Rule.COUNT, -1),
    Row("daqui a|ha {about}? {exactly}? {n} {unit}", Rule.COUNT, 1),
    Row("dentro de {about}? {exactly}? {n} {unit}", Rule.COUNT_AHEAD, 1),
    Row("em {about}? {exactly}? {n} {unit} !de|ou", Rule.COUNT_AHEAD, 1),
)
_MONTHS_AND_SEASONS = (
    Row(f"{{month}} {_PAST}", Rule.MONTH, -1),
    Row("<no|em> ultimo {month}", Rule.MONTH, -1),
    Row(f"{_COMING} {{month}}", Rule.MONTH, 1),
    Row(f"{{month}} {_COMING}|que_vem", Rule.MONTH, 1),
    Row(f"{_THIS} {{month}}", Rule.MONTH, 0),
    Row("<em|desde|durante|no_mes_de|entre> {month}", Rule.MONTH_NEAR, -1),
    Row("<ate> {month}", Rule.MONTH_NEAR, 1),
    Row("{third} de? {month}", Rule.MONTH_NEAR, -1),
    Row("{month} de|do? ,{year}", Rule.MONTH_NEAR),
    Row(f"{{season}} {_PAST}", Rule.SEASON, -1),
    Row("<no|na|o|a> ultimo|ultima {season}", Rule.SEASON, -1),
    Row(f"{_COMING} {{season}}", Rule.SEASON, 1),
    Row(f"{{season}} que vem|{_COMING}", Rule.SEASON, 1),
    Row(f"{_THIS} {{season}}", Rule.SEASON, 0),
    Row("{season} de {year}", Rule.SEASON),
)
_DATES = (
    Row("{named_day}? ,dia? {day} de {mon}", Rule.DATE),
    Row("{named_day}? ,dia? {day} de? {mon} de|do? ,{year}", Rule.DATE),
    Row("{named_day}? ,dia? {day} {month} {year}", Rule.DATE),
    Row("semana de|do dia? {day} de {month}", Rule.WEEK_OF),
    Row("semana de|do dia? {day} de {month} de {year}", Rule.WEEK_OF),
    Row("<no|desde_o|ate_o|ate> dia {day} !do|#", Rule.DAY_OF_MONTH, -1),
    Row("<em|desde|ate|de|ano|durante|entre|final_de|inicio_de> {bare_year} !{counted}", Rule.YEAR),
)

PORTUGUESE = Language(
    code="pt",
    rows=_DAYS + _PERIODS + _MONTHS_AND_SEASONS + _DATES,
    weekdays=numbered(
        "segunda_feira segunda",
        "terca_feira terca",
        "quarta_feira quarta",
        "quinta_feira quinta",
        "sexta_feira sexta",
        "sabado",
        "domingo",
    ),
    months=numbered(
        *"janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro".split(),
        "dezembro",
        start=1,
    ),
    short_months=numbered(*"jan fev mar abr mai jun jul ago set out nov dez".split(), start=1),
    seasons=numbered("inverno", "primavera", "verao", "outono"),
    units=named(
        day="dia dias",
        week="semana semanas",
        weekend="fim_de_semana fins_de_semana finais_de_semana",
        month="mes meses",
        year="ano anos",
    ),
    periods=named(week="semana", weekend="fim_de_semana final_de_semana", month="mes", year="ano"),
    numbers=numbered(
        "um uma",
        "dois duas",
        *"tres quatro cinco seis sete oito nove dez onze doze".split(),
        start=1,
    )
    | {"quinze": 15, "vinte": 20, "trinta": 30},
    vague=numbered(
        "um_par_de",
        "uns umas alguns algumas poucos poucas uns_poucos umas_poucas",
        start=2,
    )
    | {"varios": 5, "varias": 5},
    about=tuple(
        "cerca_de mais_ou_menos aproximadamente quase mais_de menos_de uns umas por_volta_de "
        "pelo_menos".split()
    ),
    exactly=("exatamente", "exactamente", "precisamente"),
    thirds=numbered(
        "inicio_de inicios_de comeco_de principio_de principios_de",
        "meados_de meio_de",
        "fim_de fins_de final_de finais_de",
    ),
    first_of_month=("primeiro",),
    parts_of_day=(
        *("de_manha", "pela_manha", "a_tarde", "de_tarde", "a_noite", "de_noite"),
        *("de_madrugada", "ao_meio_dia"),
    ),
    counted=tuple(
        "pessoas convidados alunos usuarios euros reais dolares quilometros km kg horas minutos "
        "vezes pontos palavras passos calorias paginas metros".split()
    ),
    ambiguous=frozenset(),
    past=either(
        "foi fui foram fomos era eram estava estavam tinha tinham tive teve fiz fez fizemos vi viu "
        "vimos veio vim dei deu disse ha atras "
        "(?!vou|sou|dou|estou|irei|farei|terei|serei|estarei|meu|teu|seu)"
        "\\w{2,}(?:ei|ou|eu|iu|aram|eram|iram)"
    ),
    future=either(
        "vou vai vamos v[aã]o irei irá farei fará será terei terá estarei tenho_que tenho_de "
        "preciso quero pretendo espero planejo planeio deve devo prazo"
    )
    + r"|(?<!\w)(?:é|são|será)\s+(?:n[oa]\s+)?$",
    asked=(
        r"(?:quantos|quantas|numero de)(?: mais)? {unit}(?! (?:por|a cada|cada) )",
        r"em {unit}(?=\s*(?:$|[?.,;!)]))",
    ),
    markers=frozenset("o os e em no na um uma de do da que com para eu meu minha foi nao".split()),
    day_first=True,
)
