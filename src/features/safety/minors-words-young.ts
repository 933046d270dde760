/**
 * Other ways to say that somebody is young, by language: years of birth, birthdays, school years, growing up, and an age
 * that stands alone. Written as the lists beside it are; `Y` is a year in which minors were born, `T` an age from 11 to 17.
 */
interface YoungWords {
  loose: readonly string[];
  strong: readonly string[];
  weak: readonly string[];
}

/** What an age of somebody who is older than people become goes on with. */
const NOT_MORE =
  '(?! (?:hundred|thousand|hundert|tausend|mil|cientos?|cents?|mille|cento|сот|тысяч~|сто|stu|tysiec~|tysiac~|ratus|ribu|सौ|हज़ार))';
/** What may stand between a question and its answer. */
const ANSWER = '[?？]["\'“”«»「」*\\s—–-]*';
/** A sentence of its own. */
const ALONE = '(?<=(?:^|[.!?…\\n"“„«*(।¡¿—–]|-\\s)\\s*)T(?=\\s*[.!?…।])';
const ALONE_HAN = '(?<=^|[。！？!?.\\n「『“])T(?:です|だよ|だ)?(?=[。！？!?.」』”])';
const ORDINAL =
  '(?:[4-9]th|1[0-7]th|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth)';
const EN_FAMILY =
  '(?:son|daughter|child|kid|baby|brother|sister|niece|nephew|cousin|twins?|grandson|granddaughter|puppy|dog|cat|horse)';
const EN_LOWER = '(?:elementary|primary|middle|grade|junior high|secondary)';
const EN_BEGINS =
  '(?:start(?:s|ed|ing)?|attend(?:s|ing)?|go(?:es|ing)? to|enter(?:s|ed|ing)?|beg[au]n|begins|finish(?:es|ed|ing)?)';

export const EN_YOUNG: YoungWords = {
  loose: [
    `${EN_FAMILY}(?: [a-z']+){0,3} born(?: [a-z0-9]+){0,4} Y`,
    `${EN_FAMILY}(?: [a-z']+){0,3} turn(?:s|ed|ing) N`,
    `${EN_FAMILY}(?:'s)? ${ORDINAL} birthday`,
    `(?:since|before|until|after|on|at|for) (?:her|his|my|your|their) ${ORDINAL} birthday`,
    '(?:when|since|after|before|until|once|while) (?:[a-z]+ ){1,2}(?:had |has )?(?:just |only )?(?:hit|hits|reached|entered|started|began) puberty',
    `(?:when|since|after|before|until|while) (?:[a-z]+ ){1,2}(?:had )?(?:just |only )?${EN_BEGINS} (?:${EN_LOWER}|high) school`,
    `${EN_FAMILY}(?: [a-z']+){0,3} ${EN_BEGINS} (?:${EN_LOWER}|high) school`,
  ],
  strong: [
    'turn(?:s|ed|ing) N(?= (?:last|this|yesterday|today|tonight|tomorrow|next|just|only|recently|now|earlier|(?:a|two|three|four|few|some|several) (?:few )?(?:days?|weeks?|months?)|(?:on|in) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)))',
    'born(?: [a-z0-9]+){0,4} Y',
    '(?:birth ?year|year of birth|date of birth|birth ?date|d\\.?o\\.?b\\.?)(?: is)? ?[:=]? ?(?:\\d{1,2}[./\\s-]){0,2}Y',
    '(?:hit|hits|hitting|reached|reaches|reaching|entered|enters|entering|started|starting|began|begins|beginning|going through|goes through|in the middle of|on the verge of|has just had) (?:her |his |my |your )?puberty',
    '(?:is|am|are|still|already) in (?:the middle of )?puberty',
    '(?:just|only just|recently) (?:got|had|started) (?:her|my|your) first period',
    'pubescent',
    `${EN_BEGINS} (?:her |his |my |your |the )?(?:first |second |third |last )?(?:year (?:of|at|in) )?${EN_LOWER} school(?! (?:teach|principal|counsel|reunion)[a-z]*)`,
    `(?:just|recently|only just|still|about to) ${EN_BEGINS} (?:her |his |my |your |the )?(?:first |second )?(?:year (?:of|at|in) )?high school(?! (?:teach|principal|counsel|reunion)[a-z]*)`,
    `(?:first|second|third) year (?:of|at|in) (?:${EN_LOWER}|high) school`,
    '(?:freshman|sophomore|junior|senior) (?:in|at|of) high school',
    'year (?:[3-9]|1[0-2]) (?:pupil|student|girl|boy|schooler)s?',
    '(?:is|am|are|still|just|now) in year (?:[3-9]|1[0-2])(?= ?[.,;!?)\\n]| at| of)',
    `(?:celebrat(?:es|ed|ing)|just had|had|has|having|today is|it is|it's|is) (?:[a-z]+ )?(?:her|his|my|your|[a-z]+'s) ${ORDINAL} birthday`,
    `how old (?:are|is) (?:[a-z]+)${ANSWER}(?:(?:i'm|i am|she's|she is|he's|just|only|almost) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

const DE_FAMILY =
  '(?:sohn~|tochter~|kind|kinder|bruder|schwester|nichte|neffe|enkel~|cousine?|zwillinge?|hund|katze|pferd)';
const DE_SCHOOL = '(?:grundschule|mittelschule|hauptschule|realschule|gesamtschule|unterstufe|mittelstufe)';
const DE_CLASS =
  '(?:(?:[4-9]|10)\\.?|vierte|funfte|sechste|siebte|siebente|achte|neunte|zehnte)n? ?(?:klasse)?(?= ?[.,;!?)\\n]| und| der)';

export const DE_YOUNG: YoungWords = {
  loose: [
    `${DE_FAMILY}(?: [a-z]+){0,4} N geworden`,
    `${DE_FAMILY}(?: [a-z]+){0,4} Y geboren`,
    '(?:als|seit|nachdem|bevor|wahrend) (?:[a-z]+ ){1,2}in die pubertat~',
  ],
  strong: [
    '(?<!es (?:ist|war) (?:inzwischen |schon |fast )?)N(?: jahre alt)? geworden',
    '(?:wurde|wird|werde) (?:letzte woche|gestern|heute|morgen|neulich|gerade|vor kurzem|bald|dieses jahr|letzten monat|diese woche|nachste woche) N',
    'Y geboren|geboren(?: [a-z0-9.]+){0,3} Y|(?:jahrgang|geburtsjahr) ?:? ?Y|geburtsdatum ?:? ?(?:\\d{1,2}\\.\\s?){0,2}Y',
    '(?:ist|bin|bist|kommt|kam|gekommen|mitten|gerade|erst|eben)(?: [a-z]+){0,3} in (?:der|die) pubertat(?: gekommen)?',
    'pubertierend~',
    `(?:geht|gehe|gehst|kommt|kam|ist|besucht|besuche)(?: [a-z]+){0,3} (?:in|auf)? ?(?:die|der) ${DE_SCHOOL}`,
    `(?:mit|auf) (?:der|die) ${DE_SCHOOL}(?: [a-z]+){0,2} (?:angefangen|begonnen|gekommen)`,
    `(?:geht|gehe|gehst|kommt|kam|ist|bin)(?: [a-z]+){0,3} in (?:die|der) ${DE_CLASS}`,
    '(?:ihren|seinen|meinen|deinen) (?:(?:1[0-7]|[3-9])\\.|(?:drei|vier|funf|sech|sieb)zehnten|zehnten|elften|zwolften) geburtstag',
    `wie alt (?:bist|ist)(?: [a-z]+)?${ANSWER}(?:(?:ich bin|sie ist|er ist|bin|gerade|erst) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

const ES_FAMILY = '(?:hij[oa]s?|herman[oa]s?|sobrin[oa]s?|niet[oa]s?|prim[oa]s?|perr[oa]|gat[oa])';

export const ES_YOUNG: YoungWords = {
  loose: [
    `${ES_FAMILY}(?: [a-z]+){0,3} cumpl~ N`,
    `${ES_FAMILY}(?: [a-z]+){0,3} naci[a-z]*(?: [a-z0-9]+){0,3} Y`,
    '(?:cuando|desde que|antes de que|hasta que) (?:[a-z]+ ){0,2}(?:llego|entro|empezo) (?:[a-z]+ ){0,2}pubertad',
  ],
  strong: [
    '(?:cumplio|cumpli|cumple|cumplido|acaba de cumplir) (?:los )?T',
    '(?:nacio|naci|nacid[oa])(?: [a-z0-9]+){0,5} Y|ano de nacimiento ?:? ?Y|fecha de nacimiento ?:? ?(?:\\d{1,2}[./\\s-]){0,2}Y',
    '(?:llego|llega|llegar|entro|entra|entrar|entrado|alcanzo|alcanzar|empezo|empieza|empezar|comenzo|comenzar|esta en|en plena|tuvo)(?: [a-z]+){0,2} pubertad',
    'puber(?:es)?',
    '(?:empezo|empieza|empezar|entro|entra|entrar|comenzo|comienza|comenzar|cursa|esta en|esta cursando|estudia en|va a|acaba de (?:empezar|entrar en))(?: [a-z]+){0,2} (?:secundaria|primaria|la eso|bachillerato|preparatoria|la prepa|el instituto|el colegio)',
    '(?:[1-6](?:o|a|er|ero)?|primero|segundo|tercero|cuarto|quinto|sexto) (?:ano )?de (?:la )?(?:eso|secundaria|primaria|bachillerato|bachiller|preparatoria)',
    '(?:(?:1[0-7]|[3-9])(?:o)?|decimo(?:primer|segundo|tercer|cuarto|quinto|sexto|septimo)[a-z]*|undecimo|duodecimo) cumpleanos',
    `(?:cuantos anos|que edad) (?:tienes|tiene)${ANSWER}(?:(?:tengo|tiene) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

const FR_CLASS =
  "(?:[3-6](?:e|eme)|cm1|cm2|ce1|ce2|cp|sixieme|cinquieme|quatrieme|troisieme|seconde|primaire|maternelle)(?! (?:position|classe|place|vitesse|semaine|annee|ligne|main|generation|saison|lieu|partie|division|main|classe d'avion))";

export const FR_YOUNG: YoungWords = {
  loose: [
    '(?:fille|fils|enfant|frere|soeur|niece|neveu|cousine?|chien|chat)(?: [a-z]+){0,3} nee?s? (?:en|le)(?: [a-z0-9]+){0,2} Y',
    '(?:fille|fils|enfant|frere|soeur|niece|neveu|cousine?)(?: [a-z]+){0,3} en (?:[3-6](?:e|eme)|cm1|cm2)',
  ],
  strong: [
    "(?:vient d'avoir|venait d'avoir|va sur ses|a fete ses|fete ses|aura) T(?! (?:minutes|heures|enfants|jours|mois))",
    'nee?s? (?:en|le)(?: [a-z0-9]+){0,2} Y|annee de naissance ?:? ?Y|date de naissance ?:? ?(?:\\d{1,2}[./\\s-]){0,2}Y',
    '(?:en pleine|debut de (?:la|sa)|atteint|atteindre|commence|commencer|entre dans|entrer dans|entree? dans|a eu)(?: sa| la)? puberte',
    'puberes?',
    'en (?:[3-6](?:e|eme)|cm1|cm2|ce1|ce2)(?! (?:position|place|vitesse|semaine|annee|ligne|main|generation|saison|lieu|partie|division))',
    `(?:est|suis|es|entre|entree?|entrer|rentre|rentree?|passe|passee?|va|eleve|scolarisee?)(?: [a-z]+){0,2} en ${FR_CLASS}`,
    '(?:est|suis|es|entre|entree?|entrer|rentre|rentree?|va|commence|commencer|scolarisee?)(?: [a-z]+){0,2} (?:au|le) (?:college|lycee)(?! de france)',
    "(?:va|est|entre|commence) (?:a )?l'ecole (?:primaire|maternelle)",
    '(?:(?:[3-9]|1[0-7])(?:e|eme)|dixieme|onzieme|douzieme|treizieme|quatorzieme|quinzieme|seizieme|dix septieme) anniversaire(?! de mariage)',
    `(?:quel age (?:as tu|a t elle|a t il|avez vous)|(?:tu as|elle a) quel age) ?${ANSWER}(?:(?:j'ai|elle a|il a) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

const IT_FAMILY = '(?:figli[oa]|fratello|sorella|nipote|cugin[oa]|cane|gatt[oa])';

export const IT_YOUNG: YoungWords = {
  loose: [
    `${IT_FAMILY}(?: [a-z]+){0,3} (?:compi[a-z]*) N`,
    `${IT_FAMILY}(?: [a-z]+){0,3} nat[oa](?: [a-z0-9]+){0,3} Y`,
    `${IT_FAMILY}(?: [a-z]+){0,3} (?:prima|seconda|terza) media`,
  ],
  strong: [
    '(?:ha|ho|hai|appena) (?:appena )?compiuto (?:i )?T|compie (?:i )?T',
    "nat[oaie](?: [a-z0-9']+){0,4} Y|anno di nascita ?:? ?Y|data di nascita ?:? ?(?:\\d{1,2}[./\\s-]){0,2}Y",
    '(?:entrat[oa]|raggiunt[oa]|raggiunto|arrivat[oa]|iniziato|cominciato|in piena|nel pieno della|attraversa|avuto)(?: [a-z]+){0,2} puberta',
    'puber[ei]',
    '(?:iniziat[oa]|iniziato|inizia|cominciat[oa]|cominciato|comincia|frequenta|frequento|va|fa|entrat[oa])(?: [a-z]+){0,2} (?:medie|elementari|scuola media|scuole medie|scuola elementare|liceo|asilo)',
    '(?:(?:prima|seconda|terza|quarta|quinta)|[1-5]a?) (?:media|elementare|liceo|superiore)',
    '(?:decimo|undicesimo|dodicesimo|tredicesimo|quattordicesimo|quindicesimo|sedicesimo|diciassettesimo|1[0-7]o?) compleanno',
    `(?:quanti anni (?:hai|ha)|che eta (?:hai|ha))${ANSWER}(?:(?:ho|ha) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

const PT_FAMILY = '(?:filh[oa]s?|irma|irmao|sobrinh[oa]|net[oa]|prim[oa]|cachorr[oa]|gat[oa])';

export const PT_YOUNG: YoungWords = {
  loose: [
    `${PT_FAMILY}(?: [a-z]+){0,3} (?:fez|faz|completou) N`,
    `${PT_FAMILY}(?: [a-z]+){0,3} nasc[a-z]*(?: [a-z0-9]+){0,3} Y`,
    `${PT_FAMILY}(?: [a-z]+){0,3} (?:[4-9]o|quarto|quinto|sexto|setimo|oitavo|nono) ano`,
  ],
  strong: [
    '(?:fez|completou|acabou de (?:fazer|completar)|completa) (?:os )?T',
    '(?:nasceu|nasci|nascid[oa])(?: [a-z0-9]+){0,4} Y|ano de nascimento ?:? ?Y|data de nascimento ?:? ?(?:\\d{1,2}[./\\s-]){0,2}Y',
    '(?:entrou|entrar|entrando|chegou|chegar|atingiu|atingir|comecou|comecar|esta|em plena|passando)(?: [a-z]+){0,2} puberdade',
    'puberes?',
    '(?:comecou|comecar|comeca|entrou|entrar|esta|estuda|cursa|foi para|vai para)(?: [a-z]+){0,2} (?:ensino fundamental|ensino medio|ensino basico|ginasio|escola primaria|fundamental)',
    'no (?:7o|8o|9o|setimo|oitavo|nono) ano',
    '(?:[4-9]o|quarto|quinto|sexto|setimo|oitavo|nono) ano (?:d[oae] )?(?:ensino )?(?:fundamental|escola|basico)',
    '(?:[1-3]o|primeiro|segundo|terceiro) ano do (?:ensino )?medio|[4-9]a serie',
    '(?:(?:1[0-7]|[3-9])o?|decimo(?: (?:primeiro|segundo|terceiro|quarto|quinto|sexto|setimo))?) aniversario(?! de (?:casamento|namoro))',
    `(?:quantos anos (?:voce |ela |ele )?(?:tem|tens)|que idade (?:voce |ela |ele )?(?:tem|tens))${ANSWER}(?:(?:tenho|tem) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

export const RU_YOUNG: YoungWords = {
  loose: [
    '(?:сыну|дочери|дочке|ребенку|брату|сестре|внуку|внучке|племянни[а-я]+)(?: [а-я]+){0,2} исполнилось(?: [а-я]+){0,3} N',
    '(?:сын|дочь|дочка|ребенок|брат|сестра|внук|внучка|племянни[а-я]+|собака|кот)(?: [а-я]+){0,3} (?:родил~|рожден~)(?: [а-я0-9]+){0,3} Y',
    '(?:когда|после того как|до того как|пока) (?:[а-я]+ ){0,2}исполнилось(?: [а-я]+){0,2} N',
    '(?:сын|дочь|дочка|ребенок|брат|сестра|внук|внучка)(?: [а-я]+){0,3} (?:ходит|учится|пошел|пошла|перешел|перешла)(?: [а-я]+){0,3} (?:школ[уе]|класс[ея]?)',
  ],
  strong: [
    'исполнилось(?: [а-я]+){0,3} N|N исполнилось',
    '(?:родил~|рожден~)(?: [а-я0-9]+){0,3} Y|Y года рождения|(?:год|дата) рождения ?:? ?(?:\\d{1,2}[./\\s-]){0,2}Y',
    '(?:начал~|вошл[аи]|вошел|вступил~|достигл~|переживает|в|период~)(?: [а-я]+){0,2} (?:пубертат~|полово[а-я]+ созревани~)',
    '(?:пошел|пошла|перешел|перешла|ходит|хожу|учится|учусь|поступил~)(?: [а-я]+){0,2} (?:в|во) (?:среднюю |начальную |средней |начальной )?(?:школу|школе)(?! (?:магии|танцев|искусств|бизнеса|актерск~|полици~|милици~))',
    '(?:пошел|пошла|перешел|перешла|ходит|хожу|учится|учусь)(?: [а-я]+){0,2} (?:в|во) (?:[3-9]|10|11|третий|четвертый|пятый|шестой|седьмой|восьмой|девятый|десятый|одиннадцатый)(?: ?[йм]| ый)? класс~',
    '[а-я]+надцатилети[ея](?! (?:свадьб~|брака|компани~|фирм~|со дня|с начала))|(?:[а-я]+надцат|десят)(?:ый|ого) день рождения|(?:1[0-7]|[3-9]) ?(?:й|летие)(?: день рождения)?(?<=рождения|летие)',
    `сколько (?:тебе|ей|ему|вам) (?:лет|годиков)${ANSWER}(?:(?:мне|ей|ему) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

export const PL_YOUNG: YoungWords = {
  loose: [
    '(?:corka|syn|brat|siostra|wnuk|wnuczka|dziecko|kuzyn~|pies|kot)(?: [a-z]+){0,3} (?:skonczyl~)(?: [a-z]+){0,3} N',
    '(?:corka|syn|brat|siostra|wnuk|wnuczka|dziecko|kuzyn~|pies|kot)(?: [a-z]+){0,3} urodz~(?: [a-z0-9]+){0,3} Y',
    '(?:kiedy|gdy|odkad|zanim) (?:[a-z]+ ){0,2}skonczyl~(?: [a-z]+){0,2} N',
  ],
  strong: [
    'skonczyl(?:a|am|em)?(?: [a-z]+){0,3} T',
    '(?:urodzil~|urodzon~)(?: [a-z0-9]+){0,4} Y|rocznik ?:? ?Y|rok urodzenia ?:? ?Y|data urodzenia ?:? ?(?:\\d{1,2}[./\\s-]){0,2}Y',
    '(?:weszla|wszedl|wchodzi|zaczela|zaczal|zaczyna|przechodzi|osiagnela|osiagnal|jest|w|okres~)(?: [a-z]+){0,2} (?:dojrzewani~|pokwitani~)',
    '(?:zaczela|zaczal|zaczyna|poszla|poszedl|chodzi|chodze|uczy sie|idzie|jest)(?: [a-z]+){0,2} (?:podstawowk~|gimnazjum|szkol[aeyęę]* podstawow~|liceum|(?:[4-8]|czwart|piat|szost|siodm|osm)(?:a|ej)?\\.? klas~)',
    'w (?:[4-8]\\.?|czwartej|piatej|szostej|siodmej|osmej) klasie',
    '(?:(?:jeden|dwa|trzy|czter|piet|szes|siedem)nast(?:e|ych)|dziesiate|(?:1[0-7]|[3-9])\\.?) urodziny',
    `ile (?:masz|ma) lat${ANSWER}(?:(?:mam|ma) )?N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

export const JA_YOUNG: YoungWords = {
  loose: [
    '(?:息子|娘|弟|妹|甥|姪|孫|犬|猫)(?:は|が|も)Y年',
    '(?:息子|娘|弟|妹|甥|姪|孫)(?:は|が|も)(?:もう|まだ|今)?(?:中|高|小)[1-6一二三]',
  ],
  strong: [
    'Y年(?:\\d{1,2}月(?:\\d{1,2}日)?)?(?:に)?(?:生まれ|うまれ|誕生)|生年(?:月日)?[:は]?Y',
    '思春期(?:に(?:入|な|差し)|を迎え|真っ|まっ|が始ま)|第二次性徴|初潮(?:を迎え|が(?:来|き))',
    '(?<![年月背家最度途])(?:中|高|小)[1-6一二三](?=[のでだに、。!?「」\\s]|です|に|$)',
    '(?:中学|小学|高校)(?:校)?(?:に(?:入(?:った|り|学)|通(?:って|う|い)|上が|進)|へ(?:進|上が|通)|へ入)',
    'N(?:回|度)目の誕生日',
    '(?:何歳|いくつ|おいくつ)(?:ですか|なの|だ)?[?。]*["」』\\s「『]*(?:まだ|私は|今)?N(?=[。!?」』、.\\s]|です|歳|$)',
  ],
  weak: [ALONE_HAN],
};

export const ZH_YOUNG: YoungWords = {
  loose: [
    '(?:儿子|女儿|弟弟|妹妹|侄子|侄女|外甥|孙子|孙女|孩子)(?:今年|刚|才|已经|现在)?(?:上|读|念|在|升)?(?:了)?(?:初|高)[一二三]',
    '(?:儿子|女儿|弟弟|妹妹|侄子|侄女|外甥|孙子|孙女|孩子)(?:出生于|生于|是)?Y年?(?:出生|生)?',
  ],
  strong: [
    '(?:上|读|念|在|是|刚升|升|升上|进|才)(?:了)?(?:初|高)[一二三](?![点些层头等米尺倍])',
    '(?<![年月大正比更最])(?:初|高)[一二三](?=[。,、.!?;\\s]|$)',
    '(?:小学|初中|高中|国中)[一二三四五六]年级|(?:上|读|念|在读|在|是|升|升上)(?:了)?(?:小学|初中|高中)?[一二三四五六七八九1-9]年级',
    '(?:刚|才|开始|进入|升|升上|考上|考进|进)(?:刚|了|入|上|进|读|升)?(?:了)?(?:小学|初中|高中|国中|中学)',
    '(?:出生于|生于|出生在|出生年份[:是]?)Y|Y年(?:\\d{1,2}月(?:\\d{1,2}[日号])?)?(?:出生|生(?:人|的)?(?![产活态长意日效]))',
    '(?:进入|到了|正值|处于|刚到|步入|迎来|正处)(?:了)?(?:青春期|发育期)|(?:刚|才)(?:刚)?(?:开始)?发育|初潮',
    'N(?:岁|歲)?生日|(?:刚|才)满(?:了)?T(?![个月天年周分次])',
    '(?:几岁|多大)(?:了)?[?。]*["”」\\s“「]*(?:我)?(?:才|刚)?N(?=[。!?,”」.\\s]|岁|$)',
  ],
  weak: [ALONE_HAN],
};

const HI_ANY = '[\u0900-\u0963\u0970-\u097f]+';

export const HI_YOUNG: YoungWords = {
  loose: [
    `(?:बेट[ाीे]|भाई|बहन|भतीज[ाी]|पोत[ाी])(?: ${HI_ANY}){0,3} Y`,
    `(?:बेट[ाीे]|भाई|बहन|भतीज[ाी]|पोत[ाी])(?: ${HI_ANY}){0,3} N (?:की|का|के) (?:हुई|हुआ|हुए|हो)`,
  ],
  strong: [
    'T (?:की|का|के) (?:हुई|हुआ|हुए|हो ग[ईय]~|हो गया)',
    `Y (?:में|को) (?:${HI_ANY} )?(?:पैदा|जन्म~|जन्मी|जन्मा)|(?:जन्म|जन्म वर्ष|जन्म तिथि|जन्मतिथि)(?: ${HI_ANY})? ?:? ?Y`,
    `(?:यौवनारंभ|यौवन|प्यूबर्टी|किशोरावस्था)(?: ${HI_ANY}){0,2} (?:में|शुरू|आई|आया|कदम|पहुंच~|पहुँच~|प्रवेश)`,
    'पहली माहवारी',
    '(?:मिडिल|प्राइमरी|माध्यमिक|प्राथमिक|हाई) स्कूल (?:में|जाती|जाता|शुरू|जाना|की छात्रा|का छात्र)',
    'स्कूल (?:जाती|जाता|जाने वाली) है',
    '(?:कक्षा|क्लास) (?:[3-9]|1[01]|तीन|चार|पांच|पाँच|छह|सात|आठ|नौ|दस|ग्यारह)',
    '(?:[3-9]|1[01]|तीसरी|चौथी|पांचवीं|पाँचवीं|छठी|सातवीं|आठवीं|नौवीं|दसवीं|ग्यारहवीं) ?(?:वीं)? में पढ़त[ीाे]',
    `(?:1[0-7]|[4-9]) ?वा[ंँ] जन्मदिन|(?:दस|ग्यारह|बारह|तेरह|चौदह|पंद्रह|पन्द्रह|सोलह|सत्रह)वा[ंँ] जन्मदिन`,
    `(?:कितने साल|उम्र क्या|कितनी उम्र|उम्र कितनी)(?: ${HI_ANY}){0,3} ?${ANSWER}N${NOT_MORE}`,
  ],
  weak: [ALONE],
};

const ID_FAMILY = '(?:anak|putra|putri|adik|keponakan|cucu|sepupu|kucing|anjing)(?:ku|nya|mu)?';

export const ID_YOUNG: YoungWords = {
  loose: [
    `${ID_FAMILY}(?: [a-z]+){0,3} (?:lahir|kelahiran)(?: [a-z0-9]+){0,3} Y`,
    `${ID_FAMILY}(?: [a-z]+){0,3} kelas (?:[1-9]|1[0-2]|[a-z]+) (?:sd|smp|sma|smk)`,
  ],
  strong: [
    'kelas (?:[1-9]|1[0-2]|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|sepuluh|sebelas|[ivx]+) (?:sd|smp|sma|smk|sekolah dasar|sekolah menengah)',
    '(?:duduk di|masih|baru|murid|siswa|anak|naik) kelas (?:[3-9]|1[01]|tiga|empat|lima|enam|tujuh|delapan|sembilan)(?= ?[.,;!?)\\n]|$)',
    '(?:masuk|mulai|bersekolah di|sekolah di|bangku|masih|baru)(?: (?!lulus|tamat|mengajar)[a-z]+)? (?:sd|smp|sma|smk|sekolah dasar|sekolah menengah)(?! (?:sebagai guru|mengajar))',
    '(?:lahir|kelahiran|tahun lahir|tanggal lahir)(?: [a-z0-9]+){0,5} ?:? ?Y',
    '(?:memasuki|masuk|mengalami|baru|mulai|sedang|masa|mencapai)(?: [a-z]+){0,2} (?:puber|pubertas|akil balig[h]?)',
    'ulang tahun(?:nya|ku|mu)? (?:yang )?ke ?N',
    '(?:genap|menginjak|baru) T(?= ?[.,;!?)\\n]| (?:minggu|bulan|tahun) (?:lalu|ini|kemarin)| kemarin)',
    `(?:berapa (?:umur|usia)[a-z]*|(?:umur|usia)[a-z]* berapa)${ANSWER}N${NOT_MORE}`,
  ],
  weak: [ALONE],
};
