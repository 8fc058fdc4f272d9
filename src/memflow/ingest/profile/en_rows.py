"""English rows and the macros they use: the columns are explained in patterns.py."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"

MACROS = {
    "am": r"i(?:'m| am)",
    "have": r"i(?:'ve| have)",
    "adv": (
        r"(?:(?:really|also|just|still|absolutely|totally|personally|particularly|especially"
        r"|actually|honestly|truly|definitely|do|currently|now|even|so|quite|very|recently"
        r"|always|usually|generally|mostly|more|pretty|kinda|mainly|finally|both|already|severely"
        r"|mildly|quite|an? (?:big|huge|massive)) ){0,3}"
    ),
    "new": r"(?:(?:brand )?new |current |trusty |beloved |own |personal |work |main ){0,2}",
    "count": r"(?:an?|one|two|three|four|five|six|seven|\d)",
    "day": DAY,
    "date": (
        rf"(?:the )?(?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH})"
        r"(?:,? \d{4})?"
    ),
    "occupation": (
        r"(?:[a-z][a-z-]{2,20} ){0,3}?(?:engineer|developer|programmer|designer|teacher|professor"
        r"|nurse|doctor|physician|surgeon|dentist|lawyer|attorney|accountant|analyst|consultant"
        r"|manager|director|scientist|researcher|writer|author|journalist|editor|photographer"
        r"|artist|musician|painter|chef|cook|baker|barista|waiter|waitress|driver|electrician"
        r"|plumber|carpenter|mechanic|pilot|firefighter|paramedic|pharmacist|therapist|counselor"
        r"|psychologist|social worker|librarian|architect|marketer|specialist|coordinator"
        r"|administrator|assistant|secretary|receptionist|salesperson|realtor|real estate agent"
        r"|entrepreneur|freelancer|business owner|founder|farmer|veterinarian|vet tech|biologist"
        r"|chemist|physicist|mathematician|statistician|economist|technician|translator"
        r"|interpreter|tutor|coach|trainer|instructor|student|intern|postdoc|stay-at-home"
        r" (?:mom|mum|dad|parent)|homemaker|veteran|officer|representative|recruiter|producer"
        r"|filmmaker|actor|actress|dancer|blogger|youtuber|streamer|paralegal|auditor|banker)"
    ),
    "adopter": r"(?:vegan|vegetarian|pescatarian|flexitarian|keto|gluten[- ]free|dairy[- ]free|kosher|halal)",
    "condition": (
        r"(?:asthma|(?:type (?:1|2|one|two) )?diabetes|arthritis|anxiety|depression|adhd|autism"
        r"|migraines|celiac(?: disease)?|ibs|acid reflux|gerd|hypertension|high blood pressure"
        r"|high cholesterol|insomnia|sleep apnea|epilepsy|eczema|psoriasis|hypothyroidism|pcos"
        r"|endometriosis|fibromyalgia|crohn's(?: disease)?|lupus|scoliosis|tinnitus|dyslexia"
        r"|hay fever|(?:chronic |lower )?back (?:pain|problems|issues)|bad knees|a bad (?:knee|back))"
    ),
    "langs": (
        r"(?:english|spanish|portuguese|french|german|italian|dutch|russian|mandarin|cantonese"
        r"|chinese|japanese|korean|arabic|hebrew|hindi|urdu|bengali|tamil|turkish|polish|greek"
        r"|swedish|norwegian|danish|finnish|czech|ukrainian|vietnamese|thai|indonesian|tagalog"
        r"|swahili|latin|catalan|romanian|hungarian|farsi|persian|asl|american sign language)"
    ),
    "nation": (
        r"(?:american|canadian|british|english|scottish|irish|australian|german|french|italian"
        r"|spanish|portuguese|brazilian|mexican|argentinian|colombian|chinese|japanese|korean"
        r"|indian|pakistani|filipino|vietnamese|russian|ukrainian|polish|dutch|swedish|turkish)"
    ),
    "kin": (
        r"(?:brother|sister|son|daughter|cousin|niece|nephew|uncle|aunt|grandmother|grandma"
        r"|grandfather|grandpa|stepson|stepdaughter|stepbrother|stepsister|brother-in-law"
        r"|sister-in-law|best friend|friend|roommate|flatmate|neighbou?r|co-?worker|colleague"
        r"|boss|manager|mentor|therapist|doctor|dentist|coach)"
    ),
    "parent": r"(?:mother|mom|mum|father|dad|mother-in-law|father-in-law)",
    "partner": r"(?:wife|husband|girlfriend|boyfriend|partner|fiancee?|spouse)",
    "pet": (
        r"(?:dog|cat|puppy|kitten|rabbit|bunny|hamster|guinea pig|parrot|bird|horse|pony|turtle"
        r"|tortoise|fish|lizard|gecko|snake|golden retriever|labrador|lab|poodle|beagle|corgi"
        r"|husky|german shepherd|bulldog|dachshund|terrier|tabby|siamese)"
    ),
    "called": r"(?:,|'s name is| is (?:called|named)| named| called)? ",
    "phone": r"(?:iphone|(?:samsung )?galaxy (?:s|z|a|note)\w*|(?:google )?pixel \d|oneplus|huawei p|motorola|xperia)",
    "car": (
        r"(?:(?:19|20)\d\d )?(?:toyota|honda|ford|chevrolet|chevy|nissan|mazda|subaru|volkswagen|vw"
        r"|bmw|audi|mercedes|tesla|hyundai|kia|jeep|volvo|fiat|renault|peugeot|lexus|porsche)"
        r"(?! (?:model|kit|toy|dealer\w*|die-?cast|scale)\b)"
    ),
    "laptop": r"(?:macbook|thinkpad|dell xps|chromebook|surface pro|surface laptop|lenovo|asus|hp spectre)",
    "camera": r"(?:sony (?:a|alpha|zv)\w*\d|canon|nikon|fujifilm|leica|gopro|olympus|panasonic lumix|lumix)",
    "instrument": (
        r"(?:(?:\w+ ){0,2}?(?:guitar|piano|keyboard|bass|violin|ukulele),? (?:an? )?)?"
        r"(?:fender|gibson|yamaha [a-z]{0,3}-?\d|korg|roland|ibanez|steinway|casio|kawai"
        r"|stratocaster|telecaster|les paul)"
    ),
    "device": (
        r"(?:ipad|apple watch|kindle|fitbit|garmin|playstation|ps[45]|xbox|nintendo|roomba|peloton"
        r"|kitchenaid|vitamix|instant pot|dyson|roku|apple tv|chromecast|sonos|airpods|oculus"
        r"|raspberry pi|nespresso|traeger|weber|samsung|lg|bose|sony|suica)"
    ),
    "do": (
        r"(?:go|run|walk|swim|jog|eat|drink|take|do|play|practice|meditate|read|listen|watch|wake"
        r"|get up|sleep|work|cook|bake|meet|visit|call|attend|volunteer|teach|study|train|exercise"
        r"|write|journal|ride|cycle|bike|commute|drive|buy|order|make|clean|water|feed|check|post"
        r"|spend|use|start|try|wear|grab|bring|pack|order|shop|stretch|lift|hike|climb|paint|draw"
        r"|knit|garden|skip|aim|end|wind|work out|hang out|set aside|prep|prepare|keep|have)"
    ),
    "often": (
        r"(?:every|each) (?:other )?(?:single )?(?:day|night|morning|evening|afternoon|week|weekday"
        rf"|weekend|month|year|spring|summer|fall|autumn|winter|{DAY})"
    ),
    "replies": r"(?:answers|replies|responses|explanations|messages|summaries)",
    "style": (
        r"(?:short|brief|concise|long|longer|shorter|detailed|simple|formal|informal|casual"
        r"|friendly|direct|bullet[- ]?point(?:ed)?|step[- ]by[- ]step|plain|bulleted|structured)"
    ),
    "imperative": r"(?<![a-z0-9]\s)(?:please )?",
    "ing": (
        r"(?!thinking|wondering|looking|meaning|considering|planning|feeling|wanting|noticing"
        r"|hearing|having|being|getting|going through|debating|hoping|searching|seeing|told"
        r"|trying to (?:find|figure|decide|think|understand|remember)|dying|asking|putting off"
        r"|doing (?:great|good|well|pretty|okay|ok|fine|better|an? (?:good|great))|experiencing|living|working|telling|talking|struggling|eyeing|saying|waiting)[a-z]{2,15}ing(?! for\b)"
    ),
    "love": r"(?:love|like|enjoy|adore|prefer|hate|dislike|despise|loathe)",
    "not": r"(?:don't|do not|can't|cannot|never|no longer|don't (?:really|usually|particularly))",
    "consume": r"(?:like|eat|drink|watch|enjoy|play|listen to|use|smoke|care for|cook|read|wear)",
}

ROWS = {
    "instruction": r"""
        instruction:{topic}  sentence  {imperative}(?P<from>(?:from now on|going forward|in (?:the )?future|for all future (?:answers|replies|responses|messages)|from here on(?: out)?),? )(?!i\b|i'|we\b|my\b)
        instruction:{topic}  sentence  {imperative}(?P<from>(?:always|never) (?=(?:answer|reply|respond|use|write|give|include|add|show|explain|speak|talk|start|end|begin|finish|cite|ask|call|address|suggest|recommend|mention|provide|format|keep|assume|remind|tell|send|translate|apologi[sz]e|say|put|list)\b))
        instruction:{topic}  sentence  {imperative}(?:can you )?(?P<from>(?:keep|make) (?:all )?(?:of )?(?:your )(?:future )?{replies} )
        instruction:{topic}  sentence  {imperative}(?P<from>(?:answer|reply|respond|talk to me|speak to me|write to me) (?:to me )?(?:only|always) in )(?={langs}|{style}|bullet|one|two|three|short|plain)
        instruction:name  person  {imperative}(?:you can |just )?(?P<from>(?:call|address) me (?:as )?)(?!back|when|if|in|at|on|later|crazy|a\b|an\b|old)
        instruction:{topic}  sentence  {imperative}(?P<from>(?:when|whenever|every time|any time|anytime|each time) i (?:ask|request|share|mention)(?: you)? )(?!it\b|this\b|that\b|(?:you )?(?:a|some|the) question)
        instruction:{topic}  sentence  i {adv}(?P<from>(?:prefer|like|want|need) (?:(?:your|all) )?(?=(?:{style},? (?:and |to the point )?){1,3}{replies}\b))
        instruction:{topic}  sentence  i(?:'d| would)? (?P<from>(?:want|like|need|prefer) you to (?:always|never|stop) )
        instruction:{topic}  sentence  {imperative}(?P<from>(?:don't|do not|stop) (?:ever )?(?:use|using|adding|add|ending|end|starting|start|include|including) (?:\w+ ){0,3}?(?=emojis?|exclamation|bullet|jargon|apolog|markdown|tables?|disclaimers?))
    """,
    "identity": r"""
        name  name  my (?:full |first )?name(?:'s| is)
        name  name  i (?:go by|am called)
        age  exact  {am} {adv}(?P<value>[1-9]\d)(?: years?[ -]old\b|(?=$|[.,;!)]| and (?:i|my|have|live|work)\b))
        age  exact  {am} an? (?P<value>[1-9]\d)[- ]year[- ]old\b
        age  exact  as an? (?P<value>[1-9]\d)[- ]year[- ]old\b
        age  exact  i {adv}turned (?P<value>[1-9]\d)(?=$|[.,;!]| (?:last|this|in|on|yest)| and)
        birthday  exact  my birthday(?:'s| is) (?:on )?(?P<value>{date})
        birthday  exact  i was born on (?P<value>{date})
        birth year  exact  i was born in (?P<value>(?:19|20)\d\d)\b
        birthplace  name  i was born (?:and raised )?in (?!19|20)
        hometown  name  i (?:grew up|was raised) in (?!19|20)
        hometown  name  my (?:home ?town|home city) is
        origin  name  {am} (?:originally )?from (?!19|20)
        nationality  exact  {am} {adv}(?P<value>{nation})(?=$|[.,;!]| and (?:i|my|live)\b| but\b)
        home  name  i(?:'m| am)? {adv}(?:live|living|based|residing|reside) (?:\w+ ){0,2}?(?:in|near) (?!20\d\d)
        dwelling  phrase  i (?:currently |now )?live in (?=(?:an?|my) )
        home  name  {have} been living (?:\w+ ){0,2}?in (?!20\d\d)
        household  phrase  i {adv}live (?P<from>with my )
        household  exact  i {adv}live (?P<value>alone|by myself|on my own)\b
        home  name  (?:{have}|i) {adv}(?:moved|relocated) (?:back |out |up |down |over |here ){0,2}(?:to|from \w+(?: \w+){0,2} to) (?!20\d\d)
        job  exact  {am} {adv}(?:an?|the) (?P<value>(?!good|great|bad|big|huge|fan|bit|terrible|better){occupation})\b(?! of (?:the|this)|'s| (?:who|that) (?:is|was))
        job  exact  as an? (?P<value>{occupation}),? (?=i\b|i'|my\b)
        job  phrase  i {adv}work (?:\w+-time |remotely )?as (?:an? |the )?
        job  exact  my {new}(?:job|role|position) (?:is|as) (?:an? |the )(?P<value>{occupation})\b
        job  phrase  (?:{have}|i) {adv}(?:started|got|landed|accepted|began) (?:an? |my )?(?:new )?(?:job|role|position) as (?:an? |the )?
        job  phrase  i (?:was |got |{adv}){0,2}(?:just |recently )?promoted to (?:an? |the )?
        job  exact  (?:{have}|i) {adv}(?P<value>(?:quit|left|lost) my (?:old )?job)\b
        job  exact  {am} {adv}(?P<value>retired|unemployed|self-employed|between jobs)\b
        employer  name  i {adv}work (?:\w+-time |remotely )?(?:at|for)
        job  phrase  {have} been working (?:\w+-time |remotely )?as (?:an? |the )
        employer  name  {have} been working (?:\w+-time |remotely )?(?:at|for)
        employer  name  {am} {adv}(?:working|employed|interning) (?:at|for)
        employer  name  (?:{have}|i) {adv}(?:started|got) (?:working |an? (?:new )?job |my (?:new )?job )(?:at|with)
        field  exact  i {adv}work in (?:the )?(?P<value>[a-z]+(?: [a-z]+)? (?:industry|sector|field)|finance|marketing|tech|healthcare|education|retail|hospitality|sales|hr|it|construction|advertising|publishing)\b
        studies  phrase  {am} {adv}(?P<from>studying|majoring in|doing (?:an?|my) (?:phd|masters?|master's)) (?!for|at|the|this|my|hard|how|in)
        studies  phrase  {am} {adv}(?P<from>pursuing (?:an?|my) (?=(?:\w+ )?(?:degree|bachelor|master|phd|mba)))
        degree  phrase  i (?:have|hold|earned|completed|did) (?:an?|my) (?=(?:[\w']+ ){0,2}(?:degree|bachelor|master's|phd|mba|doctorate)\b)
        degree  phrase  (?:{have}|i) {adv}graduated (?P<from>(?:from|with) )(?!the|this|my)
        language:{value}  list  i (?:can )?{adv}speak (?:fluent |some |a little |native )?(?={langs})
        language:{value}  exact  {am} {adv}(?:fluent in|a native speaker of|native in|learning|studying|teaching myself) (?P<value>{langs})\b
        language:{value}  exact  {have} been (?:learning|studying|practicing|brushing up on) (?:my )?(?P<value>{langs})\b
        native language  name  my (?:native|first|mother) (?:language|tongue) is
        health:{value}  exact  i {adv}(?:have|suffer from|struggle with|live with) (?P<value>{condition})\b
        health:{value}  phrase  i(?:'ve| have| was|'ve been| have been|'m| am| got)? ?{adv}(?:been )?diagnosed with (?:an? )?
        health:{value}  exact  {am} {adv}(?P<value>diabetic|asthmatic|colou?r[- ]?blind|deaf|pregnant|dyslexic|autistic|(?:lactose|gluten|fructose|histamine)[- ]intolerant)\b
        allergy:{value}  list  {am} {adv}allergic to
        allergy:{value}  list  i have (?:an? )?(?:severe |mild |bad )?allerg(?:y|ies) to
        allergy:{value}  exact  i have an? (?:severe |mild |bad )?(?P<value>[a-z]+(?: [a-z]+)?) allergy\b
        diet  exact  {am} {adv}(?:an? )?(?:strict |lifelong |mostly )?(?P<value>{adopter})\b(?!-| (?:options?|recipes?|food))
        diet  exact  (?:{have}|i) {adv}(?:went|gone|became|become|turned) (?P<value>{adopter})\b
        diet  exact  {am} (?P<value>(?:no longer|not) (?:an? )?{adopter})\b
        diet  exact  (?:i follow|{am} on) an? (?:strict )?(?P<value>[\w-]+(?: [\w-]+)? diet)\b
        marital status  exact  {am} {adv}(?P<value>married|single|divorced|engaged|widowed)(?=$|[.,;!]| and\b| with (?:kids|two|three|\d)| to [a-z]| but\b)(?! to (?:the|this|my (?:work|job)))
        marital status  exact  (?:{have}|i) {adv}got(?:ten)? (?P<value>married|engaged|divorced)\b
        children  exact  i {adv}have (?P<value>{count} (?:(?:young|little|teenage|adult|small|grown|wonderful|\d{1,2}-year-old) )?(?:kids?|child(?:ren)?|sons?|daughters?|boys|girls|twins)(?: and {count} (?:sons?|daughters?|boys?|girls?))?)\b(?! (?:meal|menu))
        children  phrase  {am} an? (?P<from>(?:single |proud |new |busy |working )?(?:mom|mother|dad|father|parent) (?=(?:of|to|with) ))
        siblings  exact  i {adv}have (?P<value>{count} (?:(?:older|younger|twin|little|big) )?(?:brothers?|sisters?|siblings?)(?: and {count} (?:brothers?|sisters?))?)\b
        pets  exact  i {adv}have (?P<value>{count} (?:[a-z-]+ )?(?:cats|dogs|rabbits|chickens|horses|parrots|birds|hamsters|goats)(?: and {count} (?:[a-z-]+ )?(?:cats?|dogs?|rabbits?))?)\b
        trait:{value}  exact  {am} {adv}(?:an? )?(?P<value>introvert(?:ed)?|extrovert(?:ed)?|night owl|morning person|early bird|homebody|foodie|left-handed|perfectionist|visual learner|trans(?:gender)? (?:wo)?man|transgender)\b
        previous job  exact!  my (?:previous|last|former|old) (?:role|job|position) as (?:an? )?(?P<value>{occupation})\b
        job  exact!  (?<!lost\s)(?<!quit\s)(?<!left\s)(?<!leave\s)(?<!lose\s)my {new}(?:role|job|position) as (?:an? )(?P<value>{occupation})\b
        phone  name!  my {new}(?={phone}\b)
        car  name!  my {new}(?={car}\b)
        laptop  name!  my {new}(?={laptop}\b)
        camera:{value}  name!  my {new}(?={camera}\b)
        instrument:{value}  phrase!  my {new}(?={instrument})
        device:{value}  name!  my {new}(?={device}\b)
        car  name  i {adv}(?:drive|own) (?:an? |my )?{new}(?={car}\b)
        car  name  (?:{have}|i) {adv}(?:bought|got|have) (?:an? )?{new}(?={car}\b)
        phone  name  (?:{have}|i) {adv}(?:have|own|use|bought|got|upgraded to|switched to) (?:an? |the )?{new}(?={phone}\b)
        laptop  name  (?:{have}|i) {adv}(?:have|own|use|bought|got|switched to) (?:an? |the )?{new}(?={laptop}\b)
        camera:{value}  name  (?:{have}|i) {adv}(?:have|own|use|shoot with|bought|got) (?:an? |the )?{new}(?={camera}\b)
        instrument:{value}  exact  i {adv}(?:play|own) (?:the |an? )?(?P<value>(?:acoustic |electric |classical |bass )?(?:guitar|piano|violin|drums|cello|flute|saxophone|trumpet|ukulele|clarinet|harp|banjo|keyboard))\b
    """,
    "relation": r"""
        partner  person!  my {partner}{called}
        {rel}  person!  my (?P<rel>{parent}){called}
        {rel}:{value}  person!  my (?:(?:older|younger|little|big|twin|good|old|close|dear|new|\w+-year-old) )?(?P<from>(?P<rel>{kin}){called})
        pet:{value}  person!  my (?:[a-z-]+ )?(?P<from>{pet}{called})
        pet:{value}  person  (?:{have}|i) {adv}(?:have|got|adopted|own) (?:an? )(?:[a-z-]+ ){0,3}?(?P<from>{pet},? (?:named|called) )
        {rel}:{value}  person  i {adv}have (?:an? )(?:[\w-]+ ){0,2}?(?P<from>(?P<rel>{kin}),? (?:named|called) )
        family:{value}  exact!  my (?:(?:older|younger|little|own|two|three|\w+-year-old|teenage|adult) ){0,2}(?P<value>wife|husband|fiancee?|girlfriend|boyfriend|kids|children|sons?|daughters?|grandkids|grandchildren|twins|toddler|newborn)\b(?! of\b)
        pets:{value}  exact!  my (?:(?:older|new|little|own|two|three) )?(?P<value>dogs?|cats?|puppy|kittens?|rabbits?|parrot|horses?|chickens|goats|cows)(?=$|[.,;!?:)]|'s (?:age|breed|diet|health|weight|vet|coat|fur)\b| (?:and|or|is|are|was|has|have|who|to|in|on|at|for|with|loves?|likes?|keeps?|so|when|as|more|active|happy|healthy|vaccinated|can|gets?|eats?|sleeps?)\b)
    """,
    "preference": r"""
        preference:{value}  phrase  i {adv}(?P<from>(?:(?P<prefer>prefer)|{love}) )
        preference:{value}  phrase  {have} (?:always |really |never )?(?P<from>(?:loved|enjoyed|hated|disliked) )
        preference:{value}  phrase  i (?P<from>tend to (?P<prefer>prefer) )
        preference:{value}  phrase  i {adv}(?P<from>{not} (?:really |even |ever |usually )?{consume} )
        preference:{value}  phrase  (?:{have}|i) {adv}(?P<from>(?:stopped|quit|gave up|given up) (?:drinking|eating|watching|playing|using|buying|wearing) )
        preference:{value}  exact  (?:{have}|i) {adv}(?P<from>(?:stopped|quit|gave up|given up) (?P<value>smoking|drinking|vaping|gluten|meat|dairy|sugar|coffee|alcohol|caffeine|soda))\b
        preference:{value}  phrase  i {adv}(?P<from>(?:can't|cannot|can not) stand )
        preference:{value}  phrase  {am} {adv}(?P<from>(?:into|(?:a )?(?:big |huge |massive )?fan of|not a (?:big |huge )?fan of|fond of|obsessed with|passionate about|crazy about|addicted to|not (?:really |that )?into) )
        preference:{value}  phrase  {have} {adv}been {adv}(?P<from>(?:into|(?:a )?(?:big |huge )?fan of|interested in|passionate about|obsessed with|getting into) )
        favorite:{of}  exact  (?<!and\s)(?!and\b|but\b|so\b|because|i\b|it\b|its\b|it's|that|this|they|these|those|which|what|he\b|she\b|there|here|one\b|both|his\b|her\b|your?\b|my\b|some|where|who|the (?:\w+ )?(?:one|idea|option)s?\b)(?P<value>[\w&'-]{2,20}(?: [\w&'-]{1,20}){0,3}?) (?:is|are|has been|have been|has always been) my (?:all-time |absolute |personal )?favou?rites? (?P<of>(?!too\b|as\b|so\b|because|and\b|but\b|for\b|in\b|of\b|to\b|when|since|right|now\b|ever\b|by\b|if\b|that|which|among|out\b)[a-z]+)
        favorite:{of}  phrase  (?<!of\s)my (?:all-time |absolute |personal )?favou?rites? (?P<of>[a-z]+(?: [a-z]+){0,2}?) (?:is|are|has to be|have to be|would be) (?:the )?
    """,
    "habit": r"""
        habit:{value}  clause  {am} (?P<from>(?:usually|often|typically) )(?!sure|been|going|looking|thinking|wondering|happy|ready|glad|excited|curious|not)
        habit:{value}  clause  i {adv}(?P<from>tend to )(?!be\b|think|feel|forget|agree|have\b|see\b|get (?:it|that)|prefer)(?=[a-z]{3})
        habit:{value}  clause  i (?P<from>(?:usually|always|often|normally|typically|generally|mostly|rarely|regularly|tend to|try to always|never|sometimes) )(?={do}\b)
        habit:{value} {when}  clause  (?P<from>(?:(?:on |most )(?=\w+s\b)|every |each )(?P<when>{day}|weekdays?|weekends?|mornings?|evenings?|nights?)(?: (?:morning|afternoon|evening|night)s?)?(?: and (?:on )?{day})?,? i (?:(?:usually|always|also|like to|often|tend to) )?)(?={do}\b)
        habit:{value}  clause  i (?:also |already |now |currently )?(?=(?:{do}) (?:[\w'-]+ ){0,8}?(?:{often}|on (?:\w+days)|daily|(?:once|twice|three times|four times|\d times) (?:a|per|every) (?:day|week|month|year)))
        habit:{value}  clause  {have} (?:also |already )?been (?={ing} (?:[\w'-]+ ){0,9}?(?:lately|these days|regularly|recently|{often}|daily|for (?:about |around |over |the past |the last |almost |nearly )?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|few|several) (?:\w+ )?(?:weeks|months|years?)))
        habit:{value}  clause  i {adv}(?P<from>(?:go to bed|wake up|get up|work out|go running|go jogging) )(?=at |around |every |by |before |on )
    """,
}
