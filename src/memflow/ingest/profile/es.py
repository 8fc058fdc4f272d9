"""Spanish table. What each field and each column of a row means: patterns.py."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

from memflow.ingest.profile.patterns import ProfileLanguage

_MONTH = "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)"
_DAY = "(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?)"

_MACROS = {
    "yo": r"(?:yo )?(?:(?:tambien|todavia|ahora|actualmente|hoy|realmente|siempre|ya|solo|aun) ){0,2}",
    "count": r"(?:un|una|dos|tres|cuatro|cinco|seis|\d)",
    "day": _DAY,
    "date": rf"\d{{1,2}} de {_MONTH}(?: (?:de|del) \d{{4}})?",
    "occupation": (
        r"(?:ingenier|profesor|maestr|medic|enfermer|abogad|programador|desarrollador|cociner|arquitect|psicolog|fotograf"
        r"|estudiante|periodista|dentista|disenador|conductor|contador|economista|vendedor|gerente|analista|traductor"
        r"|investigador|music|escritor|consultor|veterinari|farmaceutic|electricista|tecnic|bibliotecari|empresari"
        r"|autonom|jubilad|desemplead)(?:[oa]|es|ora)?"
    ),
    "adopter": r"(?:vegan[oa]|vegetarian[oa]|celiac[oa]|pescetarian[oa])",
    "condition": r"(?:asma|diabetes|artritis|ansiedad|depresion|tdah|autismo|migranas?|hipertension|colesterol alto|insomnio|apnea del sueno|epilepsia|hipotiroidismo|dolor(?:es)? de espalda|rinitis|gastritis)",
    "langs": r"(?:espanol|ingles|portugues|frances|aleman|italiano|japones|coreano|chino|mandarin|ruso|arabe|hebreo|holandes|neerlandes|sueco|polaco|griego|turco|hindi|catalan|gallego|euskera|vasco)",
    "kin": r"(?:herman[oa]|hij[oa]|prim[oa]|sobrin[oa]|ti[oa]|abuel[oa]|niet[oa]|cunad[oa]|suegr[oa]|(?:mejor )?amig[oa]|coleg[oa]|companer[oa]|vecin[oa]|jef[ea]|medic[oa]|dentista|terapeuta|profesora?)",
    "partner": r"(?:marido|esposa|esposo|mujer|novi[oa]|prometid[oa]|pareja)",
    "pet": r"(?:perr[oa]|gat[oa]|conej[oa]|loro|caballo|hamster|tortuga|cachorr[oa])",
    "called": r"(?:,| se llama| llamad[oa])? ",
    "phone": r"(?:iphone|(?:samsung )?galaxy|pixel|motorola|xiaomi)",
    "car": r"(?:fiat|volkswagen|chevrolet|ford|toyota|honda|hyundai|renault|peugeot|nissan|bmw|audi|tesla|kia|seat|opel|mazda)",
    "do": (
        r"(?:me levanto|me despierto|me acuesto|duermo|corro|camino|nado|entreno|como|bebo|tomo|hago|juego|toco|leo|escribo"
        r"|escucho|veo|trabajo|cocino|estudio|voy|salgo|medito|practico|visito|almuerzo|ceno|desayuno|compro|uso|llamo|paseo|monto)"
    ),
    "often": rf"(?:tod[oa]s (?:los|las) (?:dias|mananas|noches|tardes|semanas|meses|{_DAY})|cada (?:dia|manana|noche|tarde|semana|mes|{_DAY}))",
    "replies": r"(?:respuestas?|explicaciones|mensajes)",
    "love": r"(?:adoro|amo|prefiero|odio|detesto|disfruto(?: de)?|no soporto|no aguanto|(?:a mi )?(?:no )?me (?:gustan?|encantan?|fascinan?|apasionan?|interesan?)(?: mucho| mas| bastante)?)",
}

_ROWS = {
    "instruction": r"""
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:a partir de ahora|de ahora en adelante|desde ahora|en el futuro),? )(?!yo\b|voy\b|quiero\b|mi\b)
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:siempre|nunca) (?=(?:respond|use|usa|escrib|inclu|anad|muestr|expli|habl|termin|empiez|comienz|sugier|recomiend|mencion)))
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:responde(?:me)?|contesta(?:me)?|habla(?:me)?|escribe(?:me)?) (?:siempre|solo) (?:en|de forma|de manera) )(?={langs}|corta|breve|simple|formal|informal|vinetas)
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:manten|mantenga|haz|da) (?:tus |sus |las )?{replies} )
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:cuando|cada vez que|siempre que) (?:yo )?te (?:pida|pregunte|diga|mande|envie) )
        instruction:{topic}  sentence  (?:yo )?(?P<from>(?:prefiero|quiero|me gustan) (?:las )?(?=respuestas? (?:cortas?|breves?|largas?|detalladas?|directas?|sencillas?)))
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>no (?:uses|use|incluyas|pongas) (?=emojis?|markdown|tablas?|jerga))
        instruction:name  person  (?:por favor,? |puedes )?(?P<from>(?:llamame|llameme|me llames|llamarme) )
    """,
    "identity": r"""
        name  name  mi nombre (?:completo )?es
        name  name  (?:yo )?me llamo
        age  exact  {yo}tengo (?P<value>[1-9]\d) anos\b(?! de (?:experiencia|casad|carrera|profesion|trabajo|empresa))
        birthday  exact  mi cumpleanos es (?:el )?(?P<value>{date})
        birthday  exact  (?:yo )?naci el (?P<value>{date})
        birth year  exact  (?:yo )?naci en (?P<value>(?:19|20)\d\d)\b
        birthplace  name  (?:yo )?naci (?:y creci )?en (?!19|20)
        origin  name  {yo}soy de
        home  name  {yo}(?:vivo|resido|estoy viviendo) (?:\w+ ){0,2}?en
        home  name  (?:yo )?me (?:mude|he mudado) (?:recientemente |hace poco )?a
        household  phrase  {yo}vivo (?P<from>con mis? )
        household  exact  {yo}vivo (?P<value>sol[oa])\b
        job  exact  {yo}soy (?:un |una )?(?P<value>{occupation}(?: (?:de|en) [a-z]+(?: [a-z]+)?)?)(?=$|[.,;!]| y | pero | en )
        job  phrase  {yo}trabajo (?:como|de) (?:un |una )?
        job  exact  {yo}estoy (?P<value>jubilad[oa]|desemplead[oa]|en paro)\b
        job  exact  (?:yo )?(?P<value>(?:deje|perdi|renuncie a) mi (?:trabajo|empleo))\b
        employer  name  {yo}trabajo (?:en|para)
        studies  phrase  {yo}(?P<from>(?:estudio|curso|estoy estudiando) )(?!para|mucho|en|con|todo|toda|cada|por)
        degree  phrase  (?:yo )?(?P<from>(?:me gradue|me licencie|me forme) (?:en|de) )
        language:{value}  list  {yo}hablo (?:un poco de |con fluidez )?(?={langs})
        language:{value}  exact  {yo}(?:estoy aprendiendo|aprendo) (?P<value>{langs})\b
        health:{value}  exact  {yo}(?:tengo|sufro de|padezco) (?P<value>{condition})\b
        health:{value}  phrase  (?:yo )?(?:me (?:han diagnosticado|diagnosticaron)|fui diagnosticad[oa] (?:con|de))
        health:{value}  exact  {yo}soy (?P<value>diabetic[oa]|asmatic[oa]|daltonic[oa]|intolerante (?:a la lactosa|al gluten))\b
        allergy:{value}  list  {yo}(?:soy (?:muy )?alergic[oa]|tengo alergia) (?:a los|a las|a la|al|a)
        diet  exact  {yo}soy (?P<value>{adopter})\b
        diet  exact  (?:yo )?me (?:hice|volvi) (?P<value>{adopter})\b
        diet  exact  (?:yo )?(?P<value>ya no soy {adopter})\b
        marital status  exact  {yo}(?:soy|estoy) (?P<value>casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|comprometid[oa])(?=$|[.,;!]| con\b| y\b| desde\b)
        children  exact  {yo}tengo (?P<value>{count} (?:hij[oa]s?|ninos|gemelos|mellizos)(?: y {count} hij[oa]s?)?)\b
        siblings  exact  {yo}tengo (?P<value>{count} herman[oa]s?(?: (?:mayor|menor)(?:es)?)?)\b
        pets  exact  {yo}tengo (?P<value>{count} (?:perros|gat[oa]s|conejos|gallinas))\b
        instrument:{value}  exact  {yo}toco (?:el |la )?(?P<value>guitarra|piano|violin|bateria|flauta|bajo|saxofon|ukelele)\b
        car  name  {yo}(?:tengo|conduzco|manejo|compre) (?:un |una )?(?={car}\b)
        phone  name  {yo}(?:tengo|uso|compre) (?:un |el )?(?={phone}\b)
        phone  name!  mi (?:nuevo )?(?={phone}\b)
        car  name!  mi (?:nuevo )?(?={car}\b)
    """,
    "relation": r"""
        partner  person!  mi {partner}{called}
        madre  person!  mi (?:madre|mama){called}
        padre  person!  mi (?:padre|papa){called}
        {rel}:{value}  person!  mi (?P<from>(?P<rel>{kin})(?: mayor| menor)?{called})
        pet:{value}  person!  mi (?P<from>{pet}{called})
        pet:{value}  person  {yo}tengo (?:un|una) (?P<from>{pet} (?:llamad[oa]|que se llama) )
    """,
    "preference": r"""
        preference:{value}  phrase  {yo}(?P<from>(?:(?P<prefer>prefiero)|{love}) )(?!saber|ver|que\b|cuando|como\b)
        preference:{value}  phrase  (?:yo )?(?P<from>(?:ya )?no (?:como|bebo|tomo|uso|veo|juego|fumo) )
        preference:{value}  phrase  (?:yo )?(?P<from>(?:deje|pare) de (?:comer|beber|tomar|usar|ver|jugar|fumar) )
        preference:{value}  phrase  {yo}soy (?P<from>(?:(?:un|una) )?(?:gran |muy )?(?:fan de|aficionad[oa] a|fanatic[oa] de|adict[oa] a) )
        favorite:{of}  phrase  mi (?P<of>[a-z]+(?: [a-z]+)?) (?:favorit[oa]|preferid[oa]) (?:es|son) (?:el |la |los |las )?
    """,
    "habit": r"""
        habit:{value}  clause  {yo}(?P<from>suelo )(?!tener|ser|pensar|creer)
        habit:{value}  clause  (?:yo )?(?P<from>(?:generalmente|normalmente|siempre|nunca|rara vez|casi siempre),? (?:yo )?)(?={do}\b)
        habit:{value} {when}  clause  (?P<from>(?:los|las|por las|por la|tod[oa]s (?:los|las)|cada) (?P<when>{day}|mananas?|noches?|tardes?|dias?|fines de semana),? (?:por la (?:manana|noche|tarde),? )?(?:yo )?)(?={do}\b)
        habit:{value}  clause  (?:yo )?(?={do} (?:[\w'-]+ ){0,8}?(?:{often}|los {day}|a diario|(?:una vez|dos veces|tres veces|\d veces) (?:por|a la|al) (?:dia|semana|mes)))
        habit:{value}  clause  {yo}(?=(?:he estado|llevo|vengo) (?:[\w'-]+ ){0,3}?(?!pensando|buscando|considerando)[a-z]{3,15}ndo (?:[\w'-]+ ){0,8}?(?:ultimamente|recientemente|todos los dias))
    """,
}

SPANISH = ProfileLanguage(
    code="es",
    gate=(
        "yo mi mis vivo soy tengo trabajo adoro amo prefiero odio detesto gusta gustan encanta encantan fascina "
        "fascinan llamo mude mudado hice volvi gradue licencie forme diagnosticaron hablo estudio suelo naci soporto "
        "aguanto ya siempre nunca todos todas cada generalmente normalmente toco responde contesta habla escribe manten "
        "deje perdi resido estoy los las cuando llamame adelante futuro disfruto conduzco uses incluyas pongas pare"
    ),
    openers=(
        r"[,;:(–—¡]\s*|\s-\s+|\.\.\.\s*"
        r"|\b(?:y|pero|porque|pues|entonces|tambien|bueno|hola|si|ah|oye|ya que|como|por eso|asi que"
        r"|honestamente|la verdad|por favor|por cierto|actualmente|hoy|ahora)\s+"
    ),
    possessives=r"mi\b",
    blockers=(
        r"si|imagina|supon|supongamos|ojala|quizas?|tal vez|dijo|dice|dicen|pregunto|cuando era|creo que"
        r"|me gustaria|quisiera|podria"
    ),
    asks=(
        r"(?:^|[,;:–—]\s*|\s-\s|¿|\b(?:y|pero|entonces)\s)(?:¿)?(?:(?:y|pero|entonces|hola)[ ,]{1,2})?(?:¿)?"
        r"(?:que|cual|cuales|quien|donde|cuando|por que|como|cuanto|cuantos|puedes|puede|podrias|debo|deberia|sabes"
        r"|conoces|recomiendas|alguna|algun|hay|tienes|es|esta|me recomiendas)\b"
    ),
    borrowed=(
        r"\b(?:actua como\b|finge\b|eres un\b|(?:reescrib|traduc|resum|corrig|corrij|revis|parafrase)\w* (?:el |la |este |esta |esto|lo siguiente|al )"
        r"|(?:escrib|cre|redact)\w* (?:un |una )(?:\w+ ){0,2}(?:historia|poema|ensayo|carta|cuento|guion|cancion|dialogo|discurso)"
        r"|el siguiente texto\b|texto siguiente\b)"
    ),
    stop=(
        r"[!?¿¡;()\[\]–—…\"”]|[.:](?!\w)|,| - "
        r"| (?:y|pero|o) (?:yo|no|me|mi|tengo|soy|estoy|quiero|adoro|prefiero|odio|vivo|trabajo|eso|esto|tambien|siempre|suelo)\b"
        r"| (?:pero|porque|pues|entonces|aunque|cuando|mientras|si|que|donde|como|despues|antes|ultimamente|ahora|hoy|ya"
        r"|por favor|gracias|por ejemplo|sobre todo|especialmente|desde|hace|yo|mas|actualmente|en vez)\b"
    ),
    clause_stop=(
        r"[!?¿;()–—…]|\.(?!\d)| - |,? (?:pero|entonces|porque|pues|aunque|asi que|por eso|y (?:yo|eso|no|mi)|si|yo)\b"
        r"|, (?:y|eso|que|puedes|cual|como|gracias|por favor)\b"
    ),
    vague_first=(
        "eso esto aquello ella ellos ellas tu tus su sus ese esa este esta estos estas todo nada algo alguna algun "
        "que cuando como donde ser tener estar ver saber lo se te mi mis mas mucho un una ningun"
    ),
    vague=(
        "idea ideas sugerencia sugerencias opcion opciones plan planes enfoque forma manera consejo consejos lista "
        "respuesta pregunta ejemplo version titulo cosa cosas parte personaje historia texto"
    ),
    filler=(
        "beber tomar comer ver jugar escuchar leer usar hacer ir cocinar adoro amo gusta gustan encanta encantan prefiero "
        "odio detesto suelo generalmente normalmente siempre nunca mucho bastante bueno buena"
    ),
    after_article="",
    article="",
    dangling="a el la los las en de del con por para sobre y o un una mi",
    pronouns="eso esto aquello ellos ellas",
    habit_filler=(
        "suelo generalmente normalmente siempre nunca todos todas dias dia cada semana manana noche tarde veces vez ultimamente llevo hora horas"
    ),
    weekdays=rf"\b{_DAY}\b",
    contrast=r" (?:a|al|antes que|en vez de) ",
    conjunction=r",? y |,? e |,? o |, ",
    not_names=(
        "yo lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto "
        "septiembre octubre noviembre diciembre navidad pascua tv"
    ),
    topics={
        "length": r"\b(?:cort[oa]s?|breves?|concis[oa]s?|larg[oa]s?|detallad[oa]s?|resumid[oa]s?|\w+ (?:frases|palabras|parrafos))\b",
        "language": rf"\b{_MACROS['langs']}\b",
        "emoji": r"\bemojis?\b",
        "format": r"\b(?:vinetas|tablas?|markdown|listas?|numerad[oa]s?)\b",
        "tone": r"\b(?:formal|informal|educad[oa]|direct[oa]|tono)\b",
    },
    rows=_ROWS,
    macros=_MACROS,
)
