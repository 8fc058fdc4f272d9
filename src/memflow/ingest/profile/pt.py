"""Portuguese table (Brazil and Portugal). What each field and column means: patterns.py."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

from memflow.ingest.profile.patterns import ProfileLanguage

_MONTH = (
    "(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"
)
_DAY = "(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?:-feiras?)?"

_MACROS = {
    "eu": r"(?:eu )?(?:(?:tambem|ainda|agora|atualmente|hoje|realmente|sempre|ja|so|mesmo) ){0,2}",
    "count": r"(?:um|uma|dois|duas|tres|quatro|cinco|seis|\d)",
    "day": _DAY,
    "date": rf"\d{{1,2}} de {_MONTH}(?: de \d{{4}})?",
    "occupation": (
        r"(?:engenheir|professor|medic|enfermeir|advogad|programador|desenvolvedor|cozinheir|arquitet|arquitect"
        r"|psicolog|fotograf|funcionari|estudante|jornalista|dentista|designer|motorista|contador|economista"
        r"|vendedor|gerente|analista|tradutor|pesquisador|investigador|music|escritor|consultor|veterinari"
        r"|farmaceutic|eletricista|tecnic|bibliotecari|empresari|autonom|aposentad|reformad|desempregad)(?:[oa]|es|ora)?"
    ),
    "adopter": r"(?:vegan[oa]|vegetarian[oa]|celiac[oa]|pescatarian[oa])",
    "condition": r"(?:asma|diabetes|artrite|ansiedade|depressao|tdah|autismo|enxaquecas?|pressao alta|hipertensao|colesterol alto|insonia|apneia do sono|epilepsia|hipotireoidismo|dor(?:es)? nas costas|rinite|gastrite)",
    "langs": r"(?:portugues|ingles|espanhol|frances|alemao|italiano|japones|coreano|chines|mandarim|russo|arabe|hebraico|holandes|neerlandes|sueco|polones|polaco|grego|turco|hindi|catalao|libras)",
    "kin": r"(?:irma[o]?|filh[oa]|prim[oa]|sobrinh[oa]|ti[oa]|avo|net[oa]|cunhad[oa]|sogr[oa]|(?:melhor )?amig[oa]|coleg[oa]|vizinh[oa]|chefe|medic[oa]|dentista|terapeuta|professora?)",
    "partner": r"(?:marido|esposa|mulher|namorad[oa]|noiv[oa]|companheir[oa])",
    "pet": r"(?:cachorr[oa]|cao|cadela|gat[oa]|coelh[oa]|papagaio|cavalo|hamster|tartaruga)",
    "called": r"(?:,| se chama| chama-se| chamad[oa])? ",
    "phone": r"(?:iphone|(?:samsung )?galaxy|pixel|motorola|xiaomi)",
    "car": r"(?:fiat|volkswagen|vw|chevrolet|ford|toyota|honda|hyundai|renault|peugeot|nissan|bmw|audi|tesla|kia|seat|opel)",
    "do": (
        r"(?:acordo|levanto|durmo|corro|caminho|nado|treino|como|bebo|tomo|faco|jogo|toco|leio|escrevo|ouco|assisto|vejo"
        r"|trabalho|cozinho|estudo|vou|ando|pedalo|medito|pratico|visito|almoco|janto|compro|uso|ligo|passeio|saio|me levanto|me deito|deito-me|levanto-me)"
    ),
    "often": rf"(?:tod[oa]s? (?:os |as |o |a )?(?:dias?|manhas?|noites?|tardes?|semanas?|mes(?:es)?|{_DAY}))",
    "replies": r"(?:respostas?|explicacoes|mensagens)",
    "love": r"(?:adoro|amo|prefiro|odeio|detesto|curto|gosto (?:muito |mais |bastante )?d[eao]s?|nao (?:gosto|curto)(?: muito)?(?: d[eao]s?)?|nao suporto|nao aguento)",
}

_ROWS = {
    "instruction": r"""
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:a partir de agora|de agora em diante|daqui em diante|daqui para a frente|no futuro),? )(?!eu\b|vou\b|quero\b|minha|meu)
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:sempre|nunca) (?=(?:respond|use|usa|escrev|inclu|adicion|mostr|expli|fale|fala|termin|comec|sugir|recomend|mencion)))
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:responda?|fale?|fala|escreva) (?:comigo |-me |me )?(?:sempre|so) (?:em|de forma) )(?={langs}|curta|breve|simples|formal|informal|topicos|portugues)
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:mantenha|mantem|faca|de) (?:as )?(?:suas |tuas )?{replies} )
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>(?:quando|sempre que) eu (?:pedir|perguntar|disser|mandar|enviar) )
        instruction:{topic}  sentence  (?:eu )?(?P<from>(?:prefiro|quero|gosto de) (?=respostas? (?:curtas?|breves?|longas?|detalhadas?|diretas?|simples)))
        instruction:{topic}  sentence  (?<![a-z0-9]\s)(?:por favor,? )?(?P<from>nao (?:use|usa|uses|inclua|coloque) (?=emojis?|markdown|tabelas?|jargao))
        instruction:name  person  (?:por favor,? |pode )?(?P<from>(?:me chame|me chama|chama-me|chame-me|me chamar) (?:de )?)
    """,
    "identity": r"""
        name  name  (?:o )?meu nome (?:completo )?e
        name  name  (?:eu )?(?:me chamo|chamo-me)
        age  exact  {eu}tenho (?P<value>[1-9]\d) anos\b(?! de (?:experiencia|casad|carreira|profissao|empresa|trabalho))
        birthday  exact  (?:o )?meu aniversario e (?:no dia |em |dia |a )?(?P<value>{date})
        birthday  exact  (?:eu )?(?:nasci) (?:no dia |em |a |dia )(?P<value>{date})
        birth year  exact  (?:eu )?nasci em (?P<value>(?:19|20)\d\d)\b
        birthplace  name  (?:eu )?nasci (?:e cresci )?(?:em|no|na) (?!19|20)
        home  name  {eu}(?:moro|vivo|resido|estou morando|estou a viver) (?:\w+ ){0,2}?(?:em|no|na|nos|nas)
        home  name  (?:eu )?(?:me mudei|mudei-me|mudei) (?:recentemente |agora |ha pouco )?(?:para (?:o |a )?|pra )
        household  phrase  {eu}(?:moro|vivo) (?P<from>com (?:meus?|minhas?|os meus|as minhas|o meu|a minha) )
        household  exact  {eu}(?:moro|vivo) (?P<value>sozinh[oa])\b
        job  exact  {eu}sou (?:um |uma )?(?P<value>{occupation}(?: (?:de|da|do|em) [a-z]+(?: [a-z]+)?)?)(?=$|[.,;!]| e | mas | na | no | em )
        job  phrase  {eu}trabalho como (?:um |uma )?
        job  exact  {eu}(?:estou )(?P<value>aposentad[oa]|desempregad[oa]|reformad[oa])\b
        job  exact  {eu}(?P<value>(?:larguei|deixei|perdi) (?:o )?(?:meu )?emprego|pedi demissao)\b
        employer  name  {eu}trabalho (?:na|no|para a|para o|para)
        studies  phrase  {eu}(?P<from>(?:estudo|curso|estou cursando|faco faculdade de|estou estudando|estou a tirar) )(?!para|pra|muito|em|na|no|todo|toda|com)
        degree  phrase  (?:eu )?(?P<from>(?:me formei|formei-me|sou formad[oa]|licenciei-me) em )
        language:{value}  list  {eu}falo (?:um pouco de |fluentemente )?(?={langs})
        language:{value}  exact  {eu}(?:estou aprendendo|estou a aprender|aprendo) (?P<value>{langs})\b
        health:{value}  exact  {eu}(?:tenho|sofro de|sofro com) (?P<value>{condition})\b
        health:{value}  phrase  (?:eu )?fui diagnosticad[oa] com
        health:{value}  exact  {eu}sou (?P<value>diabetic[oa]|asmatic[oa]|daltonic[oa]|intolerante (?:a|ao) (?:lactose|gluten))\b
        allergy:{value}  list  {eu}(?:sou (?:muito )?alergic[oa]|tenho alergia) (?:a|ao|aos|as)
        diet  exact  {eu}sou (?P<value>{adopter})\b
        diet  exact  (?:eu )?(?:virei|tornei-me|me tornei) (?P<value>{adopter})\b
        diet  exact  (?:eu )?(?P<value>(?:ja )?nao sou (?:mais )?{adopter})\b
        marital status  exact  {eu}(?:sou|estou) (?P<value>casad[oa]|solteir[oa]|divorciad[oa]|viuv[oa]|noiv[oa])(?=$|[.,;!]| com\b| e\b| ha\b)
        children  exact  {eu}tenho (?P<value>{count} (?:filh[oa]s?|criancas?|gemeos)(?: e {count} filh[oa]s?)?)\b
        siblings  exact  {eu}tenho (?P<value>{count} irmaos?(?: mais (?:velh|nov)[oa]s?)?)\b
        siblings  exact  {eu}tenho (?P<value>{count} irmas?(?: mais (?:velh|nov)[oa]s?)?)\b
        pets  exact  {eu}tenho (?P<value>{count} (?:cachorros|caes|gat[oa]s|coelhos|galinhas))\b
        instrument:{value}  exact  {eu}toco (?P<value>violao|guitarra|piano|violino|bateria|flauta|baixo|saxofone|ukulele|cavaquinho)\b
        car  name  {eu}(?:tenho|dirijo|conduzo|comprei) (?:um |uma |o meu )?(?={car}\b)
        phone  name  {eu}(?:tenho|uso|comprei) (?:um |o )?(?={phone}\b)
        phone  name!  meu (?:novo )?(?={phone}\b)
        car  name!  meu (?:novo )?(?={car}\b)
    """,
    "relation": r"""
        partner  person!  (?:meu|minha) {partner}{called}
        mae  person!  minha mae{called}
        pai  person!  meu pai{called}
        {rel}:{value}  person!  (?:meu|minha) (?P<from>(?P<rel>{kin})(?: mais (?:velh|nov)[oa])?{called})
        pet:{value}  person!  (?:meu|minha) (?P<from>{pet}{called})
        pet:{value}  person  {eu}tenho (?:um|uma) (?P<from>{pet} (?:chamad[oa]|que se chama|de nome) )
    """,
    "preference": r"""
        preference:{value}  phrase  {eu}(?P<from>(?:(?P<prefer>prefiro)|{love}) )(?!saber|ver|que\b|quando|como)
        preference:{value}  phrase  (?:eu )?(?P<from>(?:ja )?nao (?:como|bebo|tomo|uso|assisto|vejo|jogo|fumo) )
        preference:{value}  phrase  (?:eu )?(?P<from>(?:parei|deixei) de (?:comer|beber|tomar|usar|assistir|jogar|fumar)(?: |$))
        preference:{value}  phrase  {eu}sou (?P<from>(?:(?:um|uma) )?(?:grande |muito )?(?:fa d[eoa]s?|apaixonad[oa] por|viciad[oa] em) )
        favorite:{of}  phrase  (?:o |a )?(?:meu|minha) (?P<of>[a-z]+(?: [a-z]+)?) (?:favorit|preferid)[oa] (?:e|sao) (?:o |a )?
    """,
    "habit": r"""
        habit:{value}  clause  {eu}(?P<from>costumo )(?!ter|ser|pensar|achar)
        habit:{value}  clause  (?:eu )?(?P<from>(?:geralmente|normalmente|sempre|nunca|raramente|quase sempre),? (?:eu )?)(?={do}\b)
        habit:{value} {when}  clause  (?P<from>(?:(?:aos?|as|nas|no|na|tod[oa]s?(?: os| as| o| a)?) (?P<when>{day}|manhas?|noites?|dias?|fins? de semana)),? (?:de manha |a noite |a tarde )?(?:eu )?)(?={do}\b)
        habit:{value}  clause  (?:eu )?(?={do} (?:[\w'-]+ ){0,8}?(?:{often}|aos {day}|as {day}|diariamente|(?:uma vez|duas vezes|tres vezes|\d vezes) por (?:dia|semana|mes)))
        habit:{value}  clause  {eu}(?=(?:tenho|ando|venho) (?:a )?(?!pensado|achado|tido|visto)[a-z]{3,15}(?:ado|ido|ndo) (?:[\w'-]+ ){0,8}?(?:ultimamente|recentemente|todos os dias))
    """,
}

PORTUGUESE = ProfileLanguage(
    code="pt",
    gate=(
        "eu meu minha meus minhas chamo chama chame moro vivo sou tenho trabalho adoro amo prefiro odeio detesto gosto "
        "falo estudo curso costumo nasci mudei nao sempre nunca todos todas toda todo geralmente normalmente toco "
        "responda responde fale escreva mantenha virei tornei parei deixei resido curto estou aos quando agora adiante "
        "futuro frente larguei perdi pedi"
    ),
    openers=(
        r"[,;:(–—]\s*|\s-\s+|\.\.\.\s*"
        r"|\b(?:e|mas|porque|pois|entao|tambem|alias|bom|bem|ola|oi|sim|ah|olha|sabe|ja que|como|por isso"
        r"|honestamente|na verdade|por favor|a proposito|atualmente|hoje|agora)\s+"
    ),
    possessives=r"(?:meu|minha)\b",
    blockers=(
        r"se|caso|imagine|imagina|suponha|supondo|oxala|tomara|talvez|disse|dizem|diz|perguntou|quando eu era"
        r"|se eu fosse|acho que|gostaria|queria|poderia"
    ),
    asks=(
        r"(?:^|[,;:–—]\s*|\s-\s|\b(?:e|mas|entao)\s)(?:(?:e|entao|mas|ola|oi)[ ,]{1,2})?"
        r"(?:o que|que|qual|quais|quem|onde|quando|por que|porque|como|quanto|quantos|pode|podes|voce|sera|tem|ha|existe"
        r"|devo|sabe|conhece|recomenda|alguma|algum|sugere|e possivel|esta|e)\b"
    ),
    borrowed=(
        r"\b(?:aja como\b|finja\b|faca de conta\b|voce e um\b|(?:reescrev|traduz|resum|corrij|revis|parafrase)\w* (?:o |a |este |esta |esse |essa |isto|isso|para)"
        r"|(?:escrev|cri|redij)\w* (?:um |uma )(?:\w+ ){0,2}(?:historia|poema|redacao|carta|conto|roteiro|musica|dialogo|discurso)"
        r"|o seguinte texto\b|texto abaixo\b|texto a seguir\b)"
    ),
    stop=(
        r"[!?;()\[\]–—…\"”]|[.:](?!\w)|,| - "
        r"| (?:e|mas|ou) (?:eu|nao|me|meu|minha|tenho|sou|estou|quero|gosto|adoro|prefiro|odeio|moro|trabalho|vivo|isso|isto|tambem|sempre|costumo)\b"
        r"| (?:mas|porque|pois|entao|embora|quando|enquanto|se|que|onde|como|depois|antes|ultimamente|agora|hoje|ja"
        r"|demais|por favor|obrigad[oa]|por exemplo|principalmente|especialmente|desde|ha|eu|do que|mais|atualmente|em vez)\b"
    ),
    clause_stop=(
        r"[!?;()–—…]|\.(?!\d)| - |,? (?:mas|entao|porque|pois|embora|por isso|e (?:eu|isso|nao|meu|minha)|se|eu)\b"
        r"|, (?:e|isso|que|pode|o que|qual|como|obrigad[oa]|por favor)\b"
    ),
    vague_first=(
        "isso isto aquilo ele ela eles elas voce voces seu sua seus suas esse essa este esta desse dessa deste desta "
        "disso disto dele dela tudo nada algo alguma algum que quando como onde ser ter estar ver saber se te ti lo "
        "meu minha mais muito um uma nenhum"
    ),
    vague=(
        "ideia ideias sugestao sugestoes opcao opcoes plano planos abordagem jeito maneira dica dicas lista resposta "
        "pergunta exemplo versao titulo coisa coisas parte personagem historia texto"
    ),
    filler=(
        "beber tomar comer assistir ver jogar ouvir ler usar fazer ir cozinhar adoro amo gosto prefiro odeio detesto "
        "costumo geralmente normalmente sempre nunca raramente muito bastante bom boa"
    ),
    after_article="",
    article="",
    dangling="a o as os em no na de do da com por para sobre e ou um uma meu minha",
    pronouns="isso isto ele ela eles elas dele dela deles delas aquilo",
    habit_filler=(
        "costumo geralmente normalmente sempre nunca raramente todos todas dias dia toda todo semana manha noite tarde vezes vez ultimamente tenho ando hora horas"
    ),
    weekdays=rf"\b{_DAY}\b",
    contrast=r" (?:a|ao|aos|do que|em vez de) ",
    conjunction=r",? e |,? ou |, ",
    not_names=(
        "eu segunda terca quarta quinta sexta sabado domingo janeiro fevereiro marco abril maio junho julho agosto "
        "setembro outubro novembro dezembro natal pascoa tv"
    ),
    topics={
        "length": r"\b(?:curt[oa]s?|breves?|concis[oa]s?|long[oa]s?|detalhad[oa]s?|resumid[oa]s?|\w+ (?:frases|palavras|paragrafos))\b",
        "language": rf"\b{_MACROS['langs']}\b",
        "emoji": r"\bemojis?\b",
        "format": r"\b(?:topicos|tabelas?|markdown|listas?|numerad[oa]s?)\b",
        "tone": r"\b(?:formal|informal|educad[oa]|diret[oa]|tom)\b",
    },
    rows=_ROWS,
    macros=_MACROS,
)
