import type { MoreWords } from './minors-patterns.ts';
import { FURTHER, namedAge } from './minors-more-parts.ts';

const WHOM = '(?:her|him|me|you|them)';
const WHOSE = '(?:her|his|my|your|their)';
const ON = FURTHER('and|while|until|as|from|with|slowly|gently|hard|harder|deep|deeply|again|tonight|raw');
const GRADE = '(?:(?:[4-9]|1[01])th|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh)[\\s-]grade';
const KIN =
  '(?:son|daughter|child|kid|brother|sister|niece|nephew|cousin|twins?|grandson|granddaughter|eldest|youngest|oldest)';
const SPOUSE = '(?:husband|wife|spouse|partner|boyfriend|girlfriend|fiancee?|man|woman|lover)';
const PAIR = `(?:we|(?:my|his|her) ${SPOUSE} and (?:i|me|he|she)|(?:i|he|she) and (?:my|his|her) ${SPOUSE})`;
const HOW =
  "(?:(?:both|always|often|rarely|never|finally|still|sometimes|usually|just|then|can|could|only|hardly|also|quietly|have|had|will|would|did|'ll|'d|'ve|last night|tonight|later) ?){0,4}";
const TOGETHER =
  '(?:have|had|having|has) (?:great |good |some |amazing |a great |a good |no )?(?:sex|sex life)|(?:make|made|making|makes) love|sleep together|slept together|are naked|were naked|undress(?:ed)? each other';

const EN_MORE: MoreWords = {
  harmless: [
    '(?:spirit|demon|ghost|soul|power|magic|light|energy|cold|poison|arrow|blade|fear|warmth|darkness|virus|sword|knife|bullet|dagger|needle|smell|scent|song)s? (?:[a-z]+ ){0,2}(?:enter|penetrat)[a-z]* (?:her|him|me|you)',
    '(?:horse|pony|dragon|mare|stallion|unicorn|bike|bicycle|saddle|griffin|camel|elephant|mount|donkey|steed|wyvern|pegasus|motorbike)[^.!?\\n]{0,60}(?:rides?|riding|rode) (?:me|him|you|her)',
    '(?:rides?|riding|rode) (?:me|him|you|her)[^.!?\\n]{0,60}(?:horse|pony|dragon|mare|stallion|unicorn|bike|saddle|stable|meadow|gallop)',
    `(?:teach|taught)[a-z]* (?:[a-z]+ ){0,3}(?:grade|graders)|${GRADE} teacher~`,
    '(?:kindergarten|nursery|preschool|primary|elementary|middle|high|secondary|grade) (?:school )?(?:teach|staff|principal|headmaster|coach|nurse|counsel|librar|janitor|reunion|sweetheart|diploma)[a-z]*',
    'a kid in a (?:candy|sweet|toy)',
    '(?:have|has|had|raising|of) (?:one|two|three|four|five|[1-9]) (?:grown |small |little |young |lovely )?(?:kids|children|sons|daughters)',
    "(?:if|unless|in case) you(?:'re| are)? [^.!?\\n]{0,25}(?:18|eighteen|of age|legal age)",
    '(?:nobody|no one|none|anyone|everyone|people|users?|readers?|those|whoever|viewers?)(?: who (?:is|are))? [^.!?\\n]{0,16}(?:under|below|not)(?: [a-z]+){0,4} (?:18|eighteen|age)',
  ],
  loose: [
    `${KIN}(?: [a-z']+){0,3} (?:turns|turn|turned|turning|isn't|is not|won't be|not yet|not) (?:18|eighteen)`,
    `(?:since|from|until|after|during|back in) (?:the )?${GRADE}`,
    `${KIN}(?: [a-z']+){0,3} ${GRADE}`,
  ],
  strong: [
    "(?:isn't|is not|aren't|are not|am not|i'm not|he's not|she's not|you're not|hasn't turned|wasn't) (?:even |quite )?(?:18|eighteen)(?: years old)? yet",
    'not yet (?:18|eighteen|of (?:legal )?age|an adult|legal)|not even (?:18|eighteen)',
    'not (?:yet )?of (?:legal )?age|below (?:the )?(?:legal age|age of consent)|under (?:the )?(?:legal )?age(?: of (?:consent|majority|18|eighteen))',
    "(?:turns?|turning|will be|be|becomes?) (?:18|eighteen) (?:next|soon|tomorrow|later this|in (?:a|two|three|four|five|six|seven|eight|nine|[1-9]|january|february|march|april|may|june|july|august|september|october|november|december|the|few))|won't be (?:18|eighteen)",
    '(?:months?|weeks?|days?|years?) (?:shy of|short of|away from|from|before|until|off|till) (?:(?:turning|being|her|his|my|your) )?(?:18|eighteen|18th birthday|eighteenth birthday|legal|an adult)',
    `(?<!grade )${GRADE}(?! (?:math|reading|level))`,
    "(?:freshman|sophomore|junior|senior)(?: [a-z]+){0,2} (?:at|in|of) (?:[a-z'.]+ ){0,3}(?:high|hs|middle school|junior high)(?! (?:court|command|council))",
    'b\\. ?Y|born: ?Y',
    '(?!(?:it|this|that|there|time|total|answer|number|score|limit|which|result|price|rating|level|distance|temperature|length|size|count|chapter|page|room|party|team|class|group|sum|max|maximum|minimum|one) )[a-z\']+ is (?:now |still |about |almost |barely |maybe )?T(?=\\s*(?:$|[.;!?)\\n*"”]|,(?!\\d)|and |but ))',
    namedAge(
      'at|by|around|about|maybe|perhaps|yes|no|ok|okay|so|well|room|page|chapter|number|level|only|just|then|now|finally|hmm|oh|ah|or|and|count|in|on|of|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|total|score|verse|part|day|week|table|gate|track|size|take',
    ),
    '(?:boy|girl|kid|lad|lass|student|pupil|maiden|youth) of (?:only |just |barely )?N(?! (?:men|sisters|brothers|siblings|children|people))',
    'N (?:summers|winters) (?:old|of age|young)|(?:alive|lived|seen) (?:for )?(?:only |just )?N (?:summers|winters|springs)',
    '(?:only|just|barely|merely) T(?=,\\s?(?:she|he|but|and|i|they)\\b)',
    'age ?[:=] ?(?:xi{0,3}|xiv|xv|xvi|xvii|ix|viii?|vi)(?=[\\s.,;]|$)',
    'age(?:d| is)? ?[:=]? ?(?:2 ?[*x×] ?[2-8]|3 ?[*x×] ?[2-5]|[4-8] ?[*x×] ?2|[45] ?[*x×] ?3|4 ?[*x×] ?4)',
    "(?:hasn't|has not|not|never) (?:yet )?(?:reached|hit|entered) (?:his|her|my|their) teens",
    '(?:looks|is|about|like|maybe) T ?ish',
    'cunny',
  ],
  weak: [],
  act: [
    `(?:enter(?:s|ed|ing)?|penetrat(?:e|es|ed|ing)) ${WHOM}${ON}`,
    `(?:thrust|push|slid|slide|slip|plung|pound|sink|sank|bur[iy]|ramm?|pump)[a-z]* (?:[a-z]+ ){0,3}inside (?:of )?${WHOM}|thrust[a-z]* (?:[a-z]+ ){0,2}in(?:to)? ${WHOM}${ON}`,
    `(?:comes?|came|coming|finish(?:es|ed)?|explodes?) (?:deep )?(?:inside|in) (?:of )?${WHOM}${ON}`,
    `(?:comes?|came|finish(?:es|ed)?) (?:on|all over|in) ${WHOSE} (?:face|mouth|ass|breasts|tits|belly)`,
    `finger(?:s|ed|ing)? (?:her|him|me|you|herself)${ON}|finger (?:fuck|bang)[a-z]*`,
    `(?:rides?|riding|rode) ${WHOSE} (?:cock|dick|face|lap|hips)|(?:rides?|riding|rode) (?:me|him|you) (?:hard|slow|slowly|faster|rough|roughly|until|cowgirl|reverse)|rides me(?=\\s*(?:[.!?*"]|$))`,
    `(?:take|takes|taking|took|taken|steals?|stole|gives?|gave) ${WHOSE} virginity`,
    '(?:jerk|jack|wank|toss)(?:s|ed|ing)? (?:him|me|her|himself|it|you|them) off|wank(?:s|ed|ing)?',
    '(?:eat|eats|eating|ate) (?:her|me|him|you) out',
    `(?:go|goes|going|went) down on ${WHOM}${ON}`,
    `(?:give|gives|gave|giving) ${WHOM} (?:head|oral|a (?:bj|handy|rim ?job|hand ?job|blow ?job))|bjs?|deep ?throat[a-z]*`,
    `suck(?:s|ed|ing)? (?:him|me|you|her)(?: off)?${ON}|suck(?:s|ed|ing)? (?:on )?${WHOSE} (?:cock|dick|member|penis|length|nipples?)`,
    `(?:lick|kiss|touch|rub|finger|hand|tongue|face|slid|slip|slide)[a-z]* (?:[a-z]+ ){0,4}between ${WHOSE} (?:legs|thighs)`,
    `(?:spread|spreads|spreading|opens?|opened|opening) ${WHOSE} (?:legs|thighs) (?:wide )?(?:for|to) ${WHOM}`,
    `(?:pull|slip|tug|peel|yank|rip|tear|tore|slide|slid|take|took|remov)[a-z]* (?:off |down |aside |away )?${WHOSE} (?:panties|underwear|bra|boxers|thong|knickers)`,
    `(?:her|his|my|your|their) (?:breasts|boobs|tits|titties|cunt|clit|butthole|asshole|anus|erection|hard ?on|boner|privates|private parts?|inner thighs?)`,
    '(?:feel|feels|felt|feeling) (?:her|him|me|you) up|touch(?:es|ed|ing)? (?:her|him|me|himself|herself) (?:down there|intimately|sexually)',
    `(?:bends?|bent|bending) ${WHOM} over(?: (?:the|a|his|my) (?:desk|table|bed|couch|sofa|counter))`,
    `(?:takes?|took|taking|fucks?) ${WHOM} (?:from behind|doggy[a-z]*|raw|bareback)|doggy ?style`,
    `(?:has|have|had|having) ${WHOSE} way with ${WHOM}`,
    '(?:impregnat(?:e|es|ed|ing)|breeds?|breeding) (?:her|me|you)',
    '(?:have|had|having|has) a quickie|one night stand',
    `(?:makes?|made|making) ${WHOM} (?:climax|squirt|orgasm)`,
    `(?:hand|fingers?) (?:[a-z]+ ){0,2}(?:down ${WHOSE} (?:pants|shorts|jeans|trousers)|(?:down|up|under|in|into|inside|beneath) ${WHOSE} (?:panties|skirt|bra|underwear|blouse))`,
    '(?:grind|grinds|grinding|dry hump|hump)(?:s|ed|ing)? (?:on|against|her|him|me)',
    'on (?:her|his|my) knees and (?:suck|blow|lick)[a-z]*|unzip(?:s|ped)? (?:him|his (?:pants|fly|trousers|jeans))',
    'cunny|cunt|slut(?:s|ty)?',
  ],
  topic: [],
  couple: [
    `${PAIR} ${HOW}(?:${TOGETHER})(?! (?:with|and) )`,
    `${PAIR} [^.!?\\n]{1,60}(?:[,;:]|and|so|then)\\s?(?:then |and |so |we |i ){0,2}${HOW}(?:${TOGETHER})(?! (?:with|and) )`,
    `(?:had|have|having|has) sex with (?:my|her|his) ${SPOUSE}|(?:make|makes|made|making) love (?:to|with) (?:my|her|his) ${SPOUSE}`,
    `(?:she|he|i) undress(?:es|ed)? (?:and kiss(?:es|ed)? )?(?:my|her|his) ${SPOUSE}`,
  ],
  aside: [
    '(?:high|middle|elementary|grade|primary) schoolers|school ?(?:girls|boys)|pre ?teens|tweens|toddlers',
    '(?:high|middle|elementary|grade|primary|secondary) school (?:students|kids|seniors|pupils|girls|boys)',
    '(?:students|pupils|kids|children|girls|boys|youths|teens|orphans) (?:of|aged|ages|in|from|between) [^.;\\n]{0,30}',
    '(?:teach|tutor|coach|counsel|mentor|protect|rescu|help|entertain|work)[a-z]* (?:[a-z]+ ){0,4}(?:underage|minors?|schoolgirl|schoolboy|kindergart[a-z]*|N year olds?)',
    '(?:have|has|had|for|raising|adopted) (?:a|an|two|three|one|her|his) [^.;\\n]{0,20}N[\\s-]?(?:year[\\s-]old|yo)',
    '(?:pre ?school|kindergarten)',
  ],
};

const DE_ON = FURTHER('ein|und|bis|von|wahrend|langsam|hart|tief|wieder|heute');
const DE_WHOM = '(?:sie|ihn|mich|dich|euch)';
const DE_THEM = '(?:ihr|ihm|mir|dir)';
const DE_CLASS =
  '(?:(?:[4-9]|1[01])\\.?|vierten?|funften?|sechsten?|siebten?|siebenten?|achten?|neunten?|zehnten?)\\s?klasse';
const DE_KIN = '(?:sohn|tochter|kind|kinder|bruder|schwester|nichte|neffe|enkel~|zwillinge)';
const DE_SPOUSE = '(?:mann|frau|freund|freundin|partner|partnerin|verlobte[rn]?|ehemann|ehefrau)';
const DE_PAIR = `(?:wir|(?:mein|dein|ihr|sein)[a-z]* ${DE_SPOUSE} und (?:ich|er|sie)|(?:ich|er|sie) und (?:mein|ihr|sein)[a-z]* ${DE_SPOUSE})`;

const DE_MORE: MoreWords = {
  harmless: [
    '(?:mit|den|von|unter|bei|allen|vielen|singenden|kleinen|bunten|wilden) vogeln',
    `(?:lehr|unterricht)[a-z]* (?:[a-z]+ ){0,3}${DE_CLASS}|${DE_CLASS}nlehrer~`,
    '(?:kindergarten|grundschul|gymnasial|schul)(?:lehrer|erzieher|leiter)~',
    '(?:wer|falls|wenn) [^.!?\\n]{0,30}(?:volljahrig|minderjahrig|18)',
    'niemand [^.!?\\n]{0,20}(?:unter 18|minderjahrig)',
    '(?:hat|habe|haben|hast|hatte) (?:ein|zwei|drei|vier|funf|[1-9]) (?:kleine |grosse )?kinder',
    'kindergartnerin~',
    'nackt geschoren|der nackte wahnsinn|nacktschnecke~|nacktkatze~',
  ],
  loose: [
    `${DE_KIN}(?: [a-z]+){0,4} (?:noch nicht|erst) (?:18|achtzehn|volljahrig)`,
    `${DE_KIN}(?: [a-z]+){0,3} (?:wird|werden) (?:[a-z]+ ){0,3}(?:18|achtzehn)`,
    `(?:seit|aus|nach|bis zu) der ${DE_CLASS}`,
    `${DE_KIN}(?: [a-z]+){0,3} ${DE_CLASS}`,
  ],
  strong: [
    '(?:noch nicht|noch keine|nicht einmal|nicht mal) (?:18|achtzehn|volljahrig)|noch nicht (?:erwachsen|mundig)|nicht volljahrig',
    '(?:wird|werde|wirst) (?:[a-z]+ ){0,3}(?:erst )?(?:[a-z]+ ){0,2}(?:18|achtzehn)(?! (?:mal|uhr|euro|prozent|jahre lang))',
    DE_CLASS,
    '(?:[5-9]|10|11|vier|funf|sech|sieb|sieben|acht|neun|zehn|elf)t?[\\s-]?klassler~',
    namedAge(
      'um|bis|etwa|ungefahr|vielleicht|ja|nein|gut|also|zimmer|seite|kapitel|nummer|stufe|nur|dann|jetzt|oh|ach|oder|und|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember',
    ),
    '(?:junge|madchen|bursche|knabe|schuler|kind) von (?:nur |gerade |kaum )?N(?! (?:mannern|geschwistern|kindern|leuten))',
    'N (?:sommer|winter)(?=[\\s.,;]|$)(?! lang)',
    '(?:mit|im) (?:nur|gerade|erst|kaum) (?:mal )?T(?=[\\s,.])',
    '(?:jahrgang|jg\\.?|geb\\.?) ?Y|\\* ?Y',
    '(?:ist|bin|bist) (?:noch )?(?:keine|unter|nicht einmal) (?:1[0-8]|N|achtzehn)(?=[\\s.,;!]|$)(?! (?:minuten|tage|stunden|meter|kilo))',
    '(?:real|haupt|mittel|ober|berufs|gesamt)schul(?:er|erin)~|(?:geht|gehe|ist|war) (?:noch )?(?:zur|auf der|in der) (?:real|haupt|mittel|grund)schule',
  ],
  weak: [],
  act: [
    `(?:dring|drang|drung|stoss|stiess|ramm)[a-z]* (?:[a-z]+ ){0,3}in ${DE_WHOM}(?: (?:[a-z]+ )?(?:ein|hinein))?${DE_ON}|in ${DE_WHOM} (?:ein(?:dring|drang|gedrung)[a-z]*|hineinstoss[a-z]*)|eingedrungen`,
    'vogel(?:t|te|ten|st)|gevogelt|(?:sie|wir|zu|miteinander|ihn|dich|mich|lass uns) vogeln|bums(?:t|en|te) (?:sie|ihn|mich|dich)|gebumst|(?:sie|ihn|mich|dich) bumsen',
    `blas(?:t|en|e|te)? (?:${DE_THEM} )?(?:einen|den schwanz)|blies ${DE_THEM} einen|einen geblasen|blowjob~`,
    `hol(?:t|te|e|en) (?:${DE_THEM}|sich) einen runter|wichs(?:t|en|te|e)?`,
    'leck(?:t|te|e) (?:sie|ihn|mich|dich) (?:zwischen|unten|aus|ab)|leck(?:t|te|e) (?:ihre|seine|meine|deine) (?:muschi|brust|spalte|nippel|eier|schwanz)~',
    '(?:nimmt|nahm|nehme|nehmen) (?:ihn|seinen [a-z]+) (?:[a-z]+ )?in den mund',
    'finger(?:t|te|n|e) (?:sie|ihn|mich|dich|sich)(?=\\s*(?:[.,!?*]|$|bis|und))',
    `(?:nimmt|nahm|nehme) (?:sie|ihn|mich|dich) von hinten|(?:spreizt|spreizte|spreize) (?:die|ihre|meine|seine) (?:beine|schenkel)`,
    `(?:komm|kam|spritz|abspritz|ergiess|ergoss)[a-z]* (?:[a-z]+ ){0,2}in (?:ihr|ihm|mir|dir)${DE_ON}|spritzt ab|abgespritzt`,
    '(?:treib|trieb|getrieben)[a-z]* es (?:mit|miteinander|im|auf)',
    '(?:miteinander|zusammen) (?:geschlafen|schlafen)(?= ?[.,!?]| und|$)(?<!nebeneinander)|schlaf(?:en|t) miteinander|schlief(?:en)? (?:miteinander|mit (?:ihr|ihm|mir|dir))',
    '(?:fass|griff|greif|leck|streichel|kuss)[a-z]* (?:[a-z]+ ){0,3}zwischen (?:die|ihre|seine|meine|den|ihren|seinen) (?:beine|beinen|schenkel|schenkeln)',
    '(?:hand|finger) (?:[a-z]+ ){0,2}(?:in (?:ihre|seine|meine) (?:hose|unterhose)|unter (?:ihren|ihr|den) (?:rock|slip|bh|hoschen)|in (?:ihr|ihren) (?:slip|hoschen|bh))',
    '(?:ihre|ihren|meine|deine) (?:bruste|brusten|titten|nippel|mose|fotze|spalte)|titten|fotze|mose|erektion~|standert?|nacktfoto~|nacktbild~',
    'befummel~|befummelt|fummelt an (?:ihr|ihm)|hohepunkt (?:bring|kommt|kam|erreich)[a-z]*|zum (?:orgasmus|hohepunkt)',
    '(?:zieht|zog) (?:ihr|ihm|mir|dir) (?:[a-z]+ ){0,2}(?:slip|hoschen|unterhose|bh|unterwasche) (?:aus|runter|herunter)',
    'quickie|one night stand|schwanger[nt]|geschwangert|nutte|schlampe',
  ],
  topic: [],
  couple: [
    `${DE_PAIR} (?:[a-z]+ ){0,3}(?:haben|hatten|hat|habe) (?:(?:immer|noch|selten|nie|oft|heute|gestern|dann|wieder|gerade|endlich|nachts|leise|kaum|guten|nur) ?){0,4}sex(?! mit )`,
    `(?:haben|hatten) (?:(?:heute|gestern|dann|also|nachts|wieder|endlich) ){0,2}${DE_PAIR} (?:(?:immer|noch|selten|nie|oft|wieder|endlich|leise|dann) ?){0,3}sex(?! mit )`,
    `(?:haben|hatten) (?:mein|meine|ihr|sein|seine|ihre) ${DE_SPOUSE} und (?:ich|er|sie) sex|${DE_PAIR} (?:lieben uns|schlafen miteinander|schliefen miteinander)`,
    `sex mit (?:meine[mr]|ihre[mr]|seine[mr]) ${DE_SPOUSE}`,
    `haben sie und ihr ${DE_SPOUSE} sex`,
  ],
  aside: [
    'schulerinnen|schuljungen|teenager~|jugendliche~|kleinkinder~|grundschuler|gymnasiasten|minderjahrigen',
    '(?:unterricht|lehr|betreu|hilf|beschutz|arbeit)[a-z]* (?:[a-z]+ ){0,4}(?:schuler~|klasse~|minderjahrige~|N jahrige~|kindergarten~)',
    '(?:leb|arbeit|dien|wart|verbr|dauer|lern|studier|kampf|sass|reis|blieb|herrsch|gereist|verheirat)[a-z]*\\s(?:(?!(?:und|ist|bin|bist|wird)\\s)[a-z]+\\s){0,4}N jahre',
    '(?:hat|habe|haben|mit) (?:ein|zwei|drei)[a-z]* N ?jahrig[a-z]* (?:sohn|tochter|kind|bruder|schwester|nichte|neffe|enkel|zwilling)~',
    '(?:kinder|schuler|jungen|madchen) (?:von|zwischen|der|aus der|im alter) [^.;\\n]{0,30}',
  ],
};

/** In the order of the lists that they go on with. */
export const GERMANIC_MORE: readonly MoreWords[] = [EN_MORE, DE_MORE];
