"""English table. What each field and each column of a row means: patterns.py."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

from memflow.ingest.profile.en_rows import DAY, MACROS, ROWS
from memflow.ingest.profile.patterns import ProfileLanguage

ENGLISH = ProfileLanguage(
    code="en",
    gate=(
        "i i'm i've i'd my me your always never please future forward from answer reply respond replies answers "
        "responses keep don't do stop whenever"
    ),
    openers=(
        r"[,;:(–—]\s*|\s-\s+|\.\.\.\s*"
        r"|\b(?:and|but|so|because|since|as|also|though|although|while|plus|then|well|yes|yeah|oh"
        r"|actually|honestly|personally|btw|by the way|that said|fyi|hi|hello|hey|please|ok|okay"
        r"|anyway|know that|mention that|note that|remember that|fact that|haha|wow|too|usually"
        r"|lately|recently|currently|for me)\s+"
    ),
    possessives=r"my\b",
    blockers=(
        r"if|unless|suppose|supposing|imagine|pretend|hypothetically|wish|what if|as though|let's say"
        r"|would've|he said|she said|they said|said|says|told me|asks|asked|quote|lyrics|reads"
        r"|when i was|back when|used to|think i|guess i|maybe i|perhaps i|might|not sure|not that i"
    ),
    asks=(
        r"(?:^|[,;:–—(]\s*|\s-\s|\b(?:and|but|so|or)\s)(?:(?:so|and|but|well|also|hey|hi|then|oh)[ ,]{1,2})?"
        r"(?:what|which|who|whose|where|when|why|how|do|does|did|can|could|would|will|should|is|are"
        r"|am|was|were|have you|has|any|got any|know any|maybe you|might|may|shall|don't|isn't|won't"
        r"|i was wondering|i wonder|i'm wondering|wondering|right|ok|okay|huh|what's|how's|who's)\b"
    ),
    borrowed=(
        r"\b(?:act(?:ing)? as\b|pretend\b|role-?play|you are (?:an?|the|now)\b|you're an? (?:expert|senior)"
        r"|(?:rewrite|rephrase|paraphrase|proofread|translate|summari[sz]e|correct|edit|improve|analy[sz]e)"
        r" (?:the |this |my |these )(?:following |text|sentence|paragraph|email|essay|letter|message|article)"
        r"|(?:write|create|generate|compose|draft|make)(?: me)? (?:an? |the |another )?(?:[\w'-]+ ){0,3}"
        r"(?:story|poem|song|essay|script|dialogue|monologue|speech|letter|scene|lyrics|fanfic|cover letter|novel|sketch)\b"
        r"|from the (?:perspective|point of view)\b|as an? \w+(?: \w+)?, i want\b|following (?:text|email|letter|article|essay|transcript|passage)"
        r"|(?:re)?write (?:it|this) in\b|in the style of\b|as the character\b)|\[\w+\]"
    ),
    stop=(
        r"[!?;()\[\]–—…\"”]|[.:](?!\w)|,| - "
        r"| for (?:about |over |around |nearly |almost |the (?:past|last) )?(?:\w+ )?(?:days|weeks|months|years)\b"
        r"| (?:and|but|or) (?:i|i'm|i've|i'd|i'll|my|it|it's|that|that's|this|he|she|they|we|you|your|would|have|had|was|am|is"
        r"|want|need|thought|also|so|think|can|could|do|don't|then|usually|was|were|even|just|looking|trying|recently|wondering|the)\b"
        r"| (?:but|because|cause|so|since|although|though|while(?!\s\w+ing)|when|whenever|if|unless|which|who|whose|where|as|after"
        r"|before|until|lately|recently|right now|now|these days|at the moment|any ?more|already|too|by the way|btw|please"
        r"|thanks|like|such as|for example|especially|particularly|rather|than|that|i|i'm|i've|we|it|it's|they|he|she"
        r"|you|at all|in general|for now|so much|very much|a lot|as well|currently|today|yesterday|last|instead)\b"
    ),
    clause_stop=(
        r"[!?;()–—…]|\.(?!\d)| - |(?<=\blately)[ ,]|(?<=\brecently)[ ,]|(?<=\bregularly)[ ,]"
        r"|,? (?:but|so|because|since|although|though|which|and (?:i|i'm|i've|i'd|they|they're|we|we're|he|she|you|this|there|can|it's|it|it's|that|my|was|now)|i'm|i've|i'd|it's)\b"
        r"|, (?:i|it|that|we|he|she|they|this|can|could|do|what|any|how|thanks|please|especially)\b"
    ),
    vague_first=(
        "it its it's that that's this these those them they he him she her you you're your yours how what when "
        "where why which who all everything both one some something anything nothing to being having seeing "
        "hearing knowing thinking working talking chatting reading there here such any every each "
        "another other others using i i'm we us our their his if about for with at in on of and or "
        "not so as too #"
    ),
    vague=(
        "idea ideas suggestion suggestions option options point points recommendation recommendations plan plans "
        "approach concept thought way ways tip tips list response answer question questions example examples "
        "version outline draft title titles thing things stuff part one ones look sound format structure "
        "feedback advice comment sure kind sort lot character characters story scene chapter code function file"
    ),
    filler=(
        "drinking eating having watching playing listening reading using love like enjoy making cooking trying "
        "going doing wearing visiting exploring learning good great really new lot bit especially drink eat watch "
        "play listen read use make cook try go do wear visit explore learn kind type usually always often never "
        "buying taking getting pair mix"
    ),
    after_article="outdoors beach ocean sea mountains theater theatre city countryside snow rain cold heat gym cinema arts outdoor smell taste forest woods water",
    article="the",
    dangling="to for in on at of with about from by a an the my our into and or than over",
    pronouns="it it's them this these those that they their theirs her hers his him its then he she stuff things thing something",
    habit_filler=(
        "usually always often normally typically generally mostly rarely regularly tend never sometimes trying lot lately "
        "recently every day week month year days weeks months years morning am pm about almost daily now once twice times "
        "making effort bit get start one two three four five six seven couple few past last this these"
    ),
    weekdays=rf"\b{DAY}\b",
    contrast=r" (?:over|to|than|instead of) ",
    conjunction=r",? and |,? or |, ",
    not_names=(
        "i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march "
        "april june july august september october november december christmas easter thanksgiving halloween "
        "english ok okay tv diy ai usa uk pm am mr mrs dr covid zoom linkedin facebook instagram google phd"
    ),
    topics={
        "length": r"\b(?:short|shorter|brief|briefly|concise|concisely|long|longer|length|detailed|in detail|one sentence|(?:\w+) (?:sentences|words|paragraphs))\b",
        "language": rf"\b{MACROS['langs']}\b",
        "emoji": r"\bemojis?\b",
        "format": r"\b(?:bullet|bullets|bulleted|table|tables|markdown|list|lists|numbered|headings|plain text)\b",
        "tone": r"\b(?:formal|formally|informal|casual|friendly|polite|tone|direct|blunt)\b",
        "units": r"\b(?:metric|imperial|celsius|fahrenheit|kilomet\w+|miles|units)\b",
    },
    rows=ROWS,
    macros=MACROS,
)
