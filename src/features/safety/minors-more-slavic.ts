import type { MoreWords } from './minors-patterns.ts';
import { FURTHER, namedAge } from './minors-more-parts.ts';

const RU_ON = FURTHER('и|до|пока|снова|медленно|резко|глубоко|сзади');
const RU_KIN = '(?:доч[а-я]+|сын[а-я]*|брат[а-я]*|сестр[а-я]*|ребен[а-я]+|дет[а-я]+|внук[а-я]*|внучк[а-я]*)';
const RU_SPOUSE = '(?:муж|жен|парн|девушк|подруг|супруг|партнер|любим)[а-я]*';
const RU_PAIR = `(?:мы(?: с ${RU_SPOUSE})?|у нас с ${RU_SPOUSE}|у нас|(?:я|она|он|они) с ${RU_SPOUSE}|у них с ${RU_SPOUSE})`;
const RU_CLASS =
  '(?:[3-9]|1[01]|перв|втор|треть|четверт|пят|шест|седьм|восьм|девят|десят|одиннадцат)(?:й|м|го|ый|ом|ем|ого|ьего|ий)?';

const RU_MORE: MoreWords = {
  harmless: [
    `(?:учит|учила|учил|учител[а-я]+|препода[а-я]+|ведет) (?:[а-я]+ ){0,3}${RU_CLASS} класс[а-я]*`,
    '(?:комнат|пещер|дверь|квартир|школ|башн|церк|палатк|лавк|библиотек|кухн|рощ|машин|вод|рек|хижин|баню|воронк)[а-я]*[^.!?\\n]{0,60} (?:вош|вход)[а-я]+ в не[ей]',
    'член (?:[а-я]+ )?(?:кружка|клуба|семьи|команды|партии|экипажа|совета|сборной|отряда|общества|жюри|комиссии|союза|группы|банды|гильдии|ордена|экспедиции)|член[а-я]* (?:кружка|клуба|семьи|команды|партии|экипажа|совета|отряда|гильдии|ордена|союза)',
    '(?:есть|у (?:нее|него|меня|нас)) (?:один|двое|трое|четверо) (?:детей|малышей)',
    '(?:если|кто|тем, кому) [^.!?\\n]{0,25}(?:18|восемнадцат|совершеннолет)[а-я]*',
  ],
  loose: [
    `${RU_KIN}(?: [а-я]+){0,4} (?:нет|исполнится|будет) (?:[а-я]+ ){0,2}(?:18|восемнадцат[а-я]+)`,
    `(?:с|со|после|до) ${RU_CLASS} класса`,
    `(?:доч|сын|дет|сест|брат)[а-я]* (?:[а-я]+ ){0,2}(?:тре|четыре|пят|шест|сем|восьм|девят|десят|[а-я]+надцат)(?:и|х|ти) лет`,
  ],
  strong: [
    '(?:нет|не исполнилось|нету) (?:еще |и |даже )?(?:18|восемнадцат[а-я]+)|(?:18|восемнадцать) (?:[а-я]+ ){0,2}(?:будет|исполнится|стукнет)|(?:исполнится|будет|стукнет) (?:[а-я]+ ){0,2}(?:18|восемнадцать)',
    'несовершеннолет[а-я]*|не (?:является )?совершеннолет[а-я]*|не достиг[а-я]* (?:совершеннолетия|возраста согласия)|до совершеннолетия (?:ей|ему|мне)?',
    `(?:учен[а-я]+|учащ[а-я]+|учится|учусь|ходит|хожу|перешл?[а-я]*|пошел|пошла|идет|закончил[а-я]*|окончил[а-я]*|сидит)(?: [а-я]+){0,4} ${RU_CLASS} класс[а-я]*|в ${RU_CLASS} (?:классе|«?[абвг]»?(?= |[.,;]|$))`,
    '(?:шести|семи|восьми|девяти|пяти|десяти|одиннадцати|перво|старше)классни[а-я]+',
    '(?:мальчик|девочк[аи]|девушка|парень|паренек|подросток|ребенок) (?:три|тре|четыр|пят|шест|сем|восьм|девят|десят|[а-я]+надцат)(?:надцати|ех|и|ти)? лет|(?:тринадцати|четырнадцати|пятнадцати|шестнадцати|семнадцати|двенадцати|одиннадцати|десяти|девяти|восьми) лет от роду',
    '(?:ей|ему|мне|тебе) (?:нет|не было) (?:еще |и )?(?:тринадцати|четырнадцати|пятнадцати|шестнадцати|семнадцати|двенадцати|N)|нет и (?:[а-я]+надцати|N)',
    'в свои T(?: лет)?|Y года рождения|Y г\\.? ?р',
    namedAge(
      'в|на|около|примерно|да|нет|ну|так|комната|страница|глава|номер|уровень|только|потом|теперь|о|ах|или|и|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье',
    ),
  ],
  weak: [],
  act: [
    `(?:вошел|входит|вошла|входил|вхожу|войдя|проник[а-я]*|проника[а-я]+|вогнал[а-я]*) (?:[а-я]+ ){0,2}в (?:нее|него|меня|тебя|не[ей])${RU_ON}`,
    '(?:от|по|вы|за)?(?:сос)(?:ет|ала|ал|ать|у|и|ала)? (?:ему|ей|его|член|мне)|отсос[а-я]*|минет[а-я]*|(?:берет|взяла|взял|брала) (?:у него |его )?в рот|куни(?:линг[а-я]*)?',
    '(?:вы|от|за|по)?(?:трах|еба|ебе|ебл|ебут|дрюч|пердол)[а-я]*|выеб[а-я]*|переп[иеё]хн[а-я]*|перепихон[а-я]*',
    `(?:кончил|кончает|кончаю|кончила) (?:в (?:нее|него|меня|рот)|на (?:нее|лицо|живот|грудь)|внутрь|ей|от ласк)|(?:он|она|я) кончил[а]?${FURTHER('и|прямо|сразу')}(?<!(?:школу|работу|учебу|вуз|институт).{0,12})|эякул[а-я]*|сперм[а-я]*`,
    '(?:дрочи|подрочи|мастурби|фистинг|пальчик в н)[а-я]*',
    '(?:лизал|лижет|лизать|ласка[а-я]+|гладит|трога[а-я]+|целу[а-я]+) (?:[а-я]+ ){0,4}(?:между (?:ног|ее ног|бедер)|клитор|киск[а-я]*|интимн[а-я]+|промежност[а-я]*|сос[о]?к[а-я]*|обнаженн[а-я]+)',
    '(?:взял|берет|брал|имел|имеет|трахает) (?:ее|его|меня) (?:сзади|раком|силой)|раком(?= ?[.,!]| и |$)|раздви[а-я]+ (?:ей |ее |свои )?(?:ноги|бедра)(?! на ширин)',
    '(?:овладе|отдалась|отдаться|отдается)[а-я]* (?:ею|ей|ему|им|мной)?|лишил[а-я]* (?:ее |его )?(?:девственности|невинности)|девственност[а-я]*',
    'рук[ауи] (?:[а-я]+ ){0,3}(?:в трус[а-я]+|под юбк[а-я]+|под лифчик|в штаны|между ног)|(?:снял|стянул|снимает|стягивает|сорвал)[а-я]* (?:с (?:нее|него) )?(?:трус[а-я]+|лифчик|белье)|руку (?:ей|ему|ее) в трус[а-я]+',
    'киск[ауе] (?:ее|мокр)|пизд[а-я]*|вульв[а-я]*|эрекци[а-я]*|сиськ[а-я]*|грудь (?:обнажен|голая)|шлюх[а-я]*',
    'любовник(?:ами|и) (?:стали|были)|стали любовниками|(?:голые|интимные|эротические|пикантные|откровенные) фот[а-я]*|фото (?:голышом|без одежды)|щупа(?:ет|ть|л[а-я]*) (?:ее|его|меня|себя)?',
  ],
  topic: [],
  couple: [
    `${RU_PAIR} (?:[а-я]+ ){0,4}(?:занима[а-я]+ (?:сексом|любовью)|(?:есть |был )?секс|трахаемся|переспали)(?! с (?!муж|жен))`,
    `(?:занима[а-я]+ (?:сексом|любовью)|секс) с ${RU_SPOUSE}`,
  ],
  aside: [
    '(?:про|по|от)?(?:жи|рабо|служ|учи|вое|длил|вед|стран|прав|жда|сид|путеш|иска|сраж|женат|замужем|вместе)[а-я]*\\s(?:(?!(?:и|ей|ему|мне|тебе|девочке|мальчику)\\s)[а-я]+\\s){0,2}N (?:лет|года)',
    '(?<!(?:мне|ей|ему|тебе|всего|только|девочке|мальчику|возраст~) )N (?:лет|года)(?= (?:в|на|без|как|под|службы|войны|жизни)(?![а-я]))',
    'школьницы|школьники|школьников|старшекласс[а-я]+|несовершеннолетних|малолетних|(?:дет[а-я]+|подростк[а-я]+|учеников|учениц) [^.;\\n]{0,20}(?:класс[а-я]*|лет)',
    '(?:учит|учила|учил|учител|препода|защища|спаса|помога|работа)[а-я]* (?:[а-я]+ ){0,4}(?:школьник|школьниц|класс)[а-я]*',
  ],
};

const PL_ON = FURTHER('i|az|dopoki|mocno|powoli|gleboko|od tylu|znowu');
const PL_SPOUSE = '(?:maz|mez|zon|chlopak|dziewczyn|partner|narzeczon)[a-z]*';
const PL_PAIR = `(?:my|(?:z|ze) (?:moj[a-z]* |swoj[a-z]* )?${PL_SPOUSE}|(?:moj|moja|jej|jego) ${PL_SPOUSE} i (?:ja|ona|on)|(?:ja|ona|on) i (?:moj|moja|jej|jego) ${PL_SPOUSE})`;
const PL_CLASS = '(?:[4-8]\\.?|piat|szost|siodm|osm|czwart)(?:a|ej|ą|e)?';

const PL_MORE: MoreWords = {
  harmless: [
    'uczy (?:[a-z]+ ){0,3}klas[a-z]*|nauczyciel[a-z]* (?:[a-z]+ ){0,3}(?:klas|podstawow|liceum|przedszkol)[a-z]*',
    '(?:pokoj|jaskini|izb|komnat|brama|wod|rzek|chat|szkol|kuchni|las)[a-z]*[^.!?\\n]{0,60} wchodzi w nia',
    '(?:ma|mam|mamy|maja) (?:jedno|dwoje|troje|czworo|[1-9]) dziec[a-z]*',
    '(?:jesli|kto|osoby) [^.!?\\n]{0,25}(?:18|pelnolet|osiemnast)[a-z]*',
    'je loda|zjad[a-z]* loda|kupi[a-z]* (?:mu |jej )?loda|lizac loda|lize loda',
  ],
  loose: [
    '(?:cork[a-z]*|syn[a-z]*|brat[a-z]*|siostr[a-z]*|dzieck[a-z]*|wnu[a-z]*)(?: [a-z]+){0,4} (?:nie ma jeszcze|nie ma|skonczy) (?:18|osiemnast)[a-z]*',
    `od ${PL_CLASS} klasy`,
  ],
  strong: [
    '(?:nie ma|nie mam|nie masz|nie skonczyl[a-z]*) (?:jeszcze )?(?:18|osiemnast[a-z]*)(?: lat)?|(?:18|osiemnascie|osiemnastke) (?:lat )?(?:skonczy|bedzie miec|bedzie miala)|skonczy (?:[a-z]+ ){0,2}(?:18|osiemnascie)',
    'nie jest (?:jeszcze )?pelnoletni[a-z]*|nie osiagnel[a-z]* pelnoletnosci|ponizej wieku (?:zgody|przyzwolenia)',
    `(?:do|w|z) (?:mojej |jej )?${PL_CLASS} klas[a-z]*|${PL_CLASS} klas[aey]+ (?:podstawow[a-z]*|szkoly)|(?:pierwsz|drug|trzeci)[a-z]* klas[a-z]* (?:liceum|gimnazjum|technikum)|${PL_CLASS} klas[eę]`,
    '(?:szosto|siodmo|osmo|piato|czwarto|pierwszo)klasist[a-z]*|rok w (?:gimnazjum|podstawowce|liceum)',
    '[a-z]+nasto(?:latk[a-z]*|latek|letni[a-z]*)|lat (?:1[0-7]|[4-9])(?=[\\s.,;)]|$)',
    '(?:nie ma|nie skonczyl[a-z]*) (?:jeszcze |nawet )?(?:[a-z]+nastu|dziesieciu|dziewieciu|osmiu|N) lat',
    '(?:ledwie|zaledwie|dopiero|tylko) T(?= ?[.,;]| lat|$)',
    namedAge(
      'w|na|okolo|moze|tak|nie|no|wiec|pokoj|strona|rozdzial|numer|poziom|tylko|potem|teraz|o|ach|lub|i|poniedzialek|wtorek|sroda|czwartek|piatek|sobota|niedziela',
    ),
  ],
  weak: ['dziecmi|dzieciach|dzieciecy~'],
  act: [
    '(?:wy|prze|po)?rucha(?:c|l|la|li|m|sz|ja|na|nie)?(?= )|(?:wy|prze|po)?rucha(?:ja|c|l|li|la|ny|na)?(?= ?[.,!*]|$)|(?:wy|prze)?pieprz(?:y|e|a|yl|yli|yc|ysz|ymy)(?= (?:ja|go|mnie|cie|sie)| ?[.,!])|jeb(?:ie|ac|al|ali) (?:ja|go|mnie)|bzyka[a-z]*|dyma[a-z]* (?:ja|go|mnie|cie)|posuwa[a-z]* (?:ja|go|mnie)',
    `(?:wchodzi|wszedl|wchodze|wsuwa|wsunal|wbija|penetruje) (?:sie )?(?:[a-z]+ ){0,2}w (?:nia|niego|mnie|niej)${PL_ON}`,
    'rob(?:i|ic|ila|isz|ie) (?:(?:mu|jej|mi|ci) )?(?:loda|laske|minete)|obciaga[a-z]*|ciagnie (?:mu|druta)|bierze (?:mu |go )?do (?:ust|buzi)|wzi[a-z]+ (?:mu |go )?do (?:ust|buzi)|minet[aey]|lodzik[a-z]*',
    '(?:liz|piesc|dotyk|caluj|glaszcz)[a-z]* (?:[a-z]+ ){0,3}(?:miedzy (?:jej )?nog[a-z]*|cipk[a-z]*|krocz[a-z]*|lechtaczk[a-z]*|sutk[a-z]*|miejsc[a-z]* intymn[a-z]*|piersi)|miejsc[a-z]* intymn[a-z]*',
    `(?:spuszcza|spuscil|konczy|doszedl|tryska) (?:sie )?(?:w (?:niej|nia|niego|mnie|usta)|na (?:nia|twarz|piersi|brzuch))|spuszcza sie|ejakul[a-z]*|sperm[aye]`,
    '(?:bierze|wzial|bral) (?:ja|go|mnie) (?:od tylu|na pieska|sila)|od tylu(?= ?[.,!]|$)(?<!(?:auto|dom|samochod|widok|zamek).{0,14})|rozkl?ada (?:dla niego )?nogi|rozchyla (?:jej )?uda',
    '(?:robia|robili|zrobili) to (?:w (?:samochodzie|lozku|aucie)|na (?:kanapie|sofie|stole|biurku))|szybki numerek',
    '(?:rek[eai]|palce|dlon) (?:[a-z]+ ){0,3}(?:w majtk[a-z]*|pod spodnic[a-z]*|w spodnie|pod stanik)|(?:zdejmuje|zdjal|sciaga|sciagnal) (?:jej|mu) (?:majtki|stanik|bielizne|bokserki)',
    'cip(?:a|e|y|k[a-z]*)|kutas[a-z]*|chuj(?:a|em)? (?:w|do|mu)|cyck[a-z]*|dupcz[a-z]*|erekcj[a-z]*|wali (?:mu|sobie) konia|onaniz[a-z]*',
    '(?:odebral|zabral|stracil|traci)[a-z]* (?:jej |swoje |mu )?dziewictwo|oddala (?:mu )?sie(?= ?[.,!]| mu|$)|oddala mu sie|posiadl ja|kochank(?:ami|iem|a) (?:zostali|zostal)|zostali kochankami|(?:nag|rozebran|intymn|pikantn)[a-z]* (?:zdjec|fot)[a-z]*|obmacyw[a-z]*|kurw[aey] z niej',
  ],
  topic: [],
  couple: [
    `${PL_PAIR} (?:[a-z]+ ){0,3}(?:uprawia[a-z]*|kocham[a-z]*|mam[a-z]*) (?:[a-z]+ ){0,2}?(?:seks|milosc|sie)(?! z (?!moj|swoj|zon|mez|partner))`,
    `uprawia(?:my|lismy|lysmy) (?:seks|milosc)(?! z (?!moj|swoj|zon|mez|partner))|(?:kocham|uprawia)[a-z]* (?:sie|seks|milosc) z (?:moj[a-z]* |swoj[a-z]* )?${PL_SPOUSE}`,
  ],
  aside: [
    '(?:przezy|zyl|zyj|mieszka|pracow|sluz|uczy|walcz|trwa|spedz|rzadz|czeka|siedz|podrozow|szuka)[a-z]*\\s(?:(?!(?:i|ma|mam|masz|od)\\s)[a-z]+\\s){0,2}N lat',
    '(?<!(?:ma|mam|masz|wiek|tylko|zaledwie|dopiero|ledwo) )N lat(?= (?:w|na|bez|jako|pod|sluzby|wojny|zycia)(?![a-z]))',
    'uczennic|uczennicami|uczniow|nastolatkow|nastolatkom|licealisci|nieletnich|(?:dzieci|uczniowie|uczniom|nastolatki) [^.;\\n]{0,20}(?:klas[a-z]*|lat)',
  ],
};

/** In the order of the lists that they go on with. */
export const SLAVIC_MORE: readonly MoreWords[] = [RU_MORE, PL_MORE];
