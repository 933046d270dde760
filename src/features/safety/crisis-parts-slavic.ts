import type { CrisisParts } from './crisis-parts.ts';

const ХОЧУ =
  '(я хочу|хочу|хочется|собираюсь|планирую|решил[а]?|думаю|буду|мне надо|клянусь|готов[а]?|мечтаю|не могу перестать думать|постоянно думаю|намерен[а]?)( правда| реально| серьезно)?';
const РОДНОЙ =
  '((мо|сво|наш)[а-я]+ )?(бывш[а-я]+ |младш[а-я]+ |старш[а-я]+ |родн[а-я]+ )?(отца|отцу|папу|мать|матери|маму|родителей|брата|сестру|жену|жене|мужа|мужу|парня|девушку|бывшего|бывшую|начальник[ау]|начальницу|шефа|босса|коллег[уи]?|сосед[аку]+|соседей|учител[яюьницуей]+|училку|учителей|преподавателя|препода|одноклассник[аовуи]+|одноклассницу|однокурсник[аов]+|класс|сына|дочь|дочку|ребенка|детей|семью|деда|бабушку|отчима|мачеху|тещу|свекровь|соседа по комнате|всех в (школе|классе|офисе)|людей (в|на) (школе|работе|офисе|церкви))';

export const RUSSIAN_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(письм*|записк*|завещание|прощальн*|пароли|видео)',
    '(раздал*|раздаю|отдал*|подарил*) .. (вещи|кота|кошку|собаку|одежду|все)',
    '(попрощал*|прощаюсь|попрощаться|простил*сь)',
    '(позаботишься|присмотришь|позаботься|присмотри) .. (кот*|кошк*|собак*|мам*|сестр*|брат*)',
  ],
  afterMe: [
    '(когда|если|как|после того как|пока|прежде чем) (я |меня )(уже |больше )?(умру|не стан*|уйду|не будет|не буду|сделаю это|покончу)',
    '(после|до|перед) (моей |своей )?(смерт*|уход*|самоубийств*)',
  ],
  better: ['(лучше|легче|проще|счастливее|спокойнее|облегчени*|свободнее|рады|вздохн*|станет хорошо)'],
  withoutMe: [
    'без меня',
    '(если|когда|будь) (бы )?(я |меня )(бы )?(не (было|стало|станет|будет|родил*|существовал*)|умер*|умру|исчез*|исчезну|сдох*|уйду навсегда)',
    '(меня|я) (бы )?(не стало|не станет|не существовал*|исчез*)',
  ],
  noReason: [
    '(нет|никак*|не вижу|не нахожу|ни одной|не осталось|больше нет|потерял*) (больше |уже |ни одной |никак* )*(причин*|смысл*|надежд*|сил|цели|повод*|желани*|будущ*)',
    '(зачем|для чего|ради чего|какой смысл)',
    '(не (знаю|вижу|понимаю)) .. (зачем|почему|смысла|причин)',
    '(ничего|ничто|никто) .. (не )?(держит|удерживает)',
  ],
  goOn: [
    '(жить|живу|продолжать|дальше|просыпаться|просыпаюсь|вставать|встаю|существовать|существую|терпеть|бороться|дышать|оставаться|тянуть)(?! (игр*|с (этим|тобой)|вместе|в (этом|этой) (город*|квартир*)|завтра на))',
    '(держит|удерживает) .. (здесь|тут|свете|жизни|мире)?',
  ],
  means: [
    '(таблет*|снотворн*|лекарств*|пилюл*|инсулин*|обезболивающ*)',
    '(веревк*|петл*|ремень|ремня)',
    '(мост*|крыш*|балкон*|рельс*|поезд*|метро|окн*|этаж*|обрыв*|высотк*|подоконник*)',
    '(лезви*|бритв*|нож|ружье|пистолет|газ)',
  ],
  useUp: [
    '(накопил*|коплю|собрал*|собираю|отложил*|припрятал*|считаю|пересчит*) .. (достаточно|хватит|таблет*|снотворн*)',
    '(хватит|достаточно) .. (уснуть|не проснуться|умереть|навсегда|чтобы)',
    '(на|вокруг) (моей )?(ше[ияю])',
    '(прыгнуть|прыгну|спрыгнуть|спрыгну|шагнуть|шагну|броситься|брошусь|сорваться|упасть|один шаг|шаг вниз|лечь на|сделать шаг)(?! в (бассейн|воду|озеро))',
    '(выпить|выпью|проглотить|проглочу|наглота*|принять) .. (все|разом|сразу|пачку|горсть)',
    '(все|всю пачку) (разом|сразу|за раз)',
    '(все )?(закончится|закончилось бы|кончится|кончилось бы|будет кончено)',
    '(не|никогда не|больше не) (проснуться|просыпаться|проснусь)',
    '(к|в|у) (виск*|голов*|горл*|рот)',
  ],
  story: [
    '(мы|она|он|они|рек[ауие]|озер*|бассейн*|страж*|рыцар*|дракон*|демон*|вампир*|парашют*|конь|замок|корол*|корабл*|пират*|фильм*|роман*|игр[аеуы]|глав*|персонаж*|кофе|пицц*|будильник*|цвет[ыо]*|телефон*|витамин*|антибиотик*)',
  ],
  wish: [
    '(хочу|хотел* бы|хотелось бы|надеюсь|мечтаю|молюсь|вот бы|хоть бы|лучше бы|было бы|пусть|если бы|я бы не против|скорее бы)',
  ],
  mishap: [
    '(грузовик|машин*|поезд|автобус|молни*|кто нибудь|самолет|бог|метеорит|пул*) .. (сбил*|собь*|перее*|убил*|убь*|задави*|забрал*|ударил*)',
    '(рак|инфаркт|опухоль|смертельн*)',
    '(сердце) .. (остановил*|остановит*|встал*)',
    '(сбил*|задавил*|убил*) .. (машин*|грузовик*|поезд*|меня)',
    '(не|никогда не|больше не) (проснуться|просыпаться|проснулась|проснулся)',
    '(умереть|умер*) .. (во сне|авари*)',
    '(уснуть|заснуть) .. (навсегда|не проснуться)',
  ],
  dying: ['(умереть|смерт*|умирать|самоубийств*|мертв*|умру|умирани*|суицид*)'],
  relief: [
    '(нормально|можно|разреш*|ничего страшного|в порядке) .. (умереть|умру|уйти)',
    '(умереть|умирать) .. (нормально|не страшно|можно)',
    '(смерт*|умереть|самоубийств*|суицид*) .. (облегчени*|покой|покоя|выход|решение|избавлени*|спасени*|лучше|освобожден*|друг|красив*|единственн*)',
    '(единственн*) (выход|решение|вариант|путь|спасение) .. (смерт*|умереть|самоубийство|суицид)',
    '(жду|мечтаю|жажду|хочется) .. (смерти|умереть|о смерти)',
    '(думаю|мысли|мечтаю) .. (о смерти|про смерть|умереть) .. (время|дн*|ноч*|постоянно|всегда|сутк*)',
    '(все время|постоянно|каждый день|каждую ночь|всегда) .. (думаю|мысли) .. (смерт*|умереть|самоубийств*)',
    'завидую .. (мертв*|умер*)',
  ],
  gone: [
    'не (хочу|хочется|желаю) (больше |уже )?(быть|существовать|просыпаться|находиться|оставаться)( больше)?( здесь| тут| на (этом|этой) (свете|земле)| в этом мире)* (?!(в (этом|этой) (город*|школ*)|рано|на (работе|вечеринк*)|с|плох*|тв*|один|одной))',
    '(не доживу|не дотяну|вряд ли доживу|не собираюсь доживать|меня не будет|меня не станет|не переживу) .. (нового года|рождества|дня рождения|лета|весны|утра|завтра|ноч*|недел*|месяц*|зим*|скоро|[0-9]+)',
    '(скоро|завтра) меня (больше )?не (будет|станет)(?! (летим|лечу|еду|едем|уезжа*|мы|дома|в (городе|школе|сети|офисе)|на (работе|связи)))',
    '(мой|моя|мое) последн* (новый год|день рождения|ночь|лето|день|сообщение|закат|рождество)(?! (в школе|отпуска|каникул))',
    '(когда) (ты|вы) .. (прочита*|прочтет*|прочтешь|найде*) .. (меня|я) .. (не будет|не станет|мертв*|далеко)',
    '(хочу|хотел* бы|хочется|мечтаю) (просто |только |лишь )*(уснуть|заснуть|исчезнуть|уйти|раствориться|закрыть глаза|перестать (существовать|дышать)) .. (навсегда|никогда|жизни|насовсем|существовать|дышать|мира)',
    '(уйти|ухожу|уйду) (из )?(жизни|этого мира|этой жизни|в мир иной)',
    '(думаю|решил*|планирую|собираюсь|решаюсь|подумываю) .. (все закончить|все это закончить|со всем покончить|покончить|уйти из|наложить на себя руки|свести счеты)',
    '(покончить|покончу|закончить|закончу|кончить|прекращу) (со? )?(всем|все это|все|этим) (сегодня|этой ночью|завтра|навсегда|раз и навсегда)',
    '(не (должен|должна|стоило|надо) (был* )?(было )?)(родиться|рождаться|жить|существовать)',
    '(выбрал*|назначил*|решил*) .. (дату|день|место|способ) .. (умр*|уйти|смерт*|конец|умереть|ухода)',
  ],
  wound: [
    '(режу|порезал*|порезать|режет|резать|вырезал*|вырезаю|жгу|обжигаю|обожгл*|прижигаю|прижгл*|царапаю|расцарапал*|исцарапал*|кусаю|искусал*|бью|колю|полосую|исполосовал*|тушу|потушил*|провожу|рассекаю|раздираю|разодрал*) ',
  ],
  flesh: [
    '(рук[уиае]+|руках|предплечь*|запясть*|бедр*|ног[уиае]+|ногах|кож*|живот*|вен[ыу]|плеч*|тел[оаеу]|пальцы|ладон*|себя)',
  ],
  blade: [
    '(лезви*|бритв*|ножом|нож|канцеляр*|ножниц*|зажигалк*|сигарет*|стекл*|иголк*|игл*|циркул*|точилк*|скальпел*|утюг*)',
    '(слов[оа]|им[яе]н*|букв*)',
    '(кров[ьи]*|кровью)',
  ],
  because: [
    '(специально|нарочно|накаж*|наказ*|заслужи*|ненавижу себя|ненавижу свое)',
    '(чувствовать|почувствовать|легче|помогает|успокаива*|боль|боли|справ*|контрол*|пустот*|отпускает|облегчен*)',
    '(снова|опять|кажд(ый|ую|ое) (день|ночь|раз|вечер)|сорвал*|тайком|втайне|никто не (знает|видит)|не могу (остановиться|перестать)|с [0-9]+ лет|тянет|хочется)',
    'когда .. (груст*|плохо|одинок*|тревож*|пусто|невыносим*)',
  ],
  hurtMyself: [
    '(режу|резать|порезать|бью|бить|кусаю|жгу|наказываю|наказать|мучаю|морю|царапаю|калечу|калечить|поранить|раню|покалечить) (снова |опять |специально )*(себя|себе|голодом)',
    '(себе|себя) (вредить|врежу|навредить|больно|режу|резать|порезать|калечить|бить|наказывать)',
    '(самоповрежден*|селфхарм*|самопорез*)',
    '(бьюсь|билась|бился|биться) .. голов* .. (стен*|об)',
    '(причиняю|причинять|делаю|делать|причинить) себе (больно|боль)',
    '(порезы|порезаться|режусь|резаться|порезал*сь)',
  ],
  marks: [
    '(пряч*|скрываю|скрыва*|длинн* рукав*|кофт*|закрываю|замазыва*) .. (шрам*|порез*|раны|рубц*|ожог*|руки)',
    '(шрам*|порез*|рубц*) .. (сам[а]? себе|от лезви*|от бритвы|свеж*)',
    '(хочу|хочется|тянет|надо|нужно|желание|буду|собираюсь) (снова |опять |сейчас |очень )*(порезать себя|порезаться|резать себя|резаться|себя порезать|причинить себе (боль|вред)|сделать себе больно|навредить себе|себе навредить|поранить себя|обжечь себя|наказать себя)',
    '(хочу|хочется|нужно) (увидеть|видеть) (свою )?кровь',
    '(сорвал*|рецидив) .. (порез*|лезви*|режу|селфхарм|дней|месяц*|недел*)',
    '(лезви*|бритв*) .. (спрятан*|под (матрас*|подушк*)|чехл*|зовет|единственн*)',
  ],
  accident: [
    '(случайно|нечаянно|готов(ил*|лю|ке)|кухн*|бри(лся|лась|тье|ться)|лук|овощи|духовк*|плит*|сковород*|торт|хлеб|волос*|бумаг*|кофе|чай|чаем|кот|кошк*|собак*|роз[уыа]|шип*|врач*|прививк*|тату*|дракон*|меч*|демон*|вампир*|упал*|споткн*|футбол*|сад[уе]|спортзал*|утюжил*|салат)',
  ],
  attack: [
    `${ХОЧУ} .. (зарезать|прирезать|застрелить|отравить|задушить|расстрелять|пырнуть|утопить|взорвать|избить до смерти|сжечь|переехать|напасть на) .. ${РОДНОЙ}`,
    `(зарежу|застрелю|отравлю|задушу|прирежу|расстреляю|пырну|перестреляю|перережу) .. ${РОДНОЙ}`,
    `${РОДНОЙ} .. (зарежу|застрелю|отравлю|задушу|прирежу|расстреляю|перестреляю|пырну)`,
    `(${ХОЧУ}|подожгу|взорву) .. (устроить (стрельбу|бойню|резню|шутинг)|взорвать|сжечь|поджечь|подожгу|взорву) .. (школ*|офис*|работ*|церк*|мечет*|дом)`,
    `(боюсь) .. (убью|убить|задушу|задушить|покалечить|ударить|причинить вред|наврежу) .. ${РОДНОЙ}`,
    `(представляю|думаю|продумываю|планирую) .. как .. (убить|убью|убиваю|зарезать|отравить|отравлю|задушить|душу) .. ${РОДНОЙ}`,
    `(представляю|думаю|продумываю|планирую) как .. ${РОДНОЙ}`,
  ],
  kill: [
    `${ХОЧУ} .. (убить|навредить|покалечить|избить|отомстить|прикончить|грохнуть|порезать|причинить боль|ударить) .. ${РОДНОЙ}`,
    `(убью|прикончу|грохну|покалечу|изобью|порешу) .. ${РОДНОЙ}`,
    `${РОДНОЙ} .. (убью|прикончу|грохну|порешу)`,
  ],
  soon: [
    '(сегодня|завтра|ночью|вечером|сейчас|скоро|послезавтра|на выходных|(в )?(понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)|на следующей неделе|после (школы|уроков|работы)|во сне|когда .. (уснет|заснет|вернется|придет|спит))',
    '(нож*|ружь*|пистолет*|топор*|яд|молоток*|бензин*|оружие|ствол)',
    '(план|спланировал*|решил*|готов*|подготовил*)',
  ],
  play: [
    '((ха|хе|хи){2,}х?|лол|ржу|ахах*)',
    '(если (он|она|брат|сестра|еще|не)) .. (съе*|трон*|опять|снова|спойлер*|возьм*)?',
    '(в|на) (этой |этом )?(игр[еуы]|майнкрафт*|шахмат*|фильм*|книг*|роман*|глав*|спектакл*|истори*|сцен*|дота|доте|мафи[юи])',
    '(орк*|дракон*|гоблин*|демон*|вампир*|корол*|трон*|принц*|королевств*|меч*|замок|персонаж*|рыцар*|маг[а]?|эльф*|водян*|снежк*|торт*|пицц*|щекот*|объяти*|обним*|сюрприз*|пульт*|фото)',
    '(не (хочу|буду|собираюсь)|никогда)',
  ],
};

const CHCE =
  '(chcę|chce|chciałbym|chciałabym|zamierzam|muszę|planuję|postanowiłe?a?m|mam ochotę|mam zamiar|mam ochotę|przysięgam że|myślę żeby|myślę o tym żeby|jestem gotow[ay]|ciągle myślę żeby|marzę żeby)( naprawdę)?';
const BLISKI =
  '((moj|mo|swoj|swo|nasz)[^ ]+ |mój |mych |swój )?(byłego |byłą |młodszego |starszego |małego |własnego )?(ojca|tatę|matkę|mamę|rodziców|brata|siostrę|żonę|męża|chłopaka|dziewczynę|byłego|byłą|szefa|szefową|koleg[ęóa]w?|kolegów|koleżank[ęi]|sąsiad[akęó]+w?|nauczyciel[akęi]+|nauczycieli|dyrektora|klasę|kolegów z (klasy|pracy)|syna|córkę|dziecko|dzieci|rodzinę|dziadka|babcię|ojczyma|macochę|teściową|współlokatora|wszystkich (w|z) (szkole|szkoły|klasie|klasy|pracy|pracy)|ludzi (w|z) (szkole|szkoły|pracy|pracy|kościele)|ojcu|matce|bratu|siostrze|żonie|mężowi|szefowi|sąsiadowi|nauczycielowi|nauczycielce|kolegom|dziecku)';

export const POLISH_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(list|listy|liścik|testament|pożegnaln*|hasła|nagrał[ae]m)',
    '(rozdał[ae]?m|rozdaję|oddał[ae]?m|oddaję) .. (rzeczy|kota|psa|ubrania|wszystko)',
    '(pożegnał[ae]?m|żegnam|pożegnać)',
    '(zajmiesz|zaopiekuj*|zaopiekujesz) .. (kot*|ps*|mam*|siostr*|brat*)',
  ],
  afterMe: [
    '(kiedy|gdy|jak|jeśli|zanim|jak już) (już )?(mnie )?(umrę|odejdę|nie będzie|zabraknie|zginę|to zrobię|nie będę|będę martw[ay])',
    '(po|przed) (mojej |moim |swojej |własnej )?(śmierci|śmiercią|odejściu|odejściem|samobójstw*)',
  ],
  better: [
    '(lepiej|łatwiej|prościej|szczęśliwsi|szczęśliwsza|szczęśliwszy|ulga|ulgą|ulgę|spokojniej|lżej|zadowoleni|lepszy|odetchn*)',
  ],
  withoutMe: [
    'beze mnie',
    '(gdyby|gdybym|jeśli|kiedy|jak|jakby|jakbym) (mnie |ja )?(już )?(nie (było|będzie|istniał*|żył*|urodził*)|umarł*|umrę|zniknę|zniknął|zniknęła|zniknęłabym|zabrakło|zabraknie)',
  ],
  noReason: [
    '(nie (mam|widzę|ma|znajduję)|brak|żadn*|ani jednego|straciłe?a?m|bez) (już |żadn* |ani jednego )*(powod*|sens*|nadziei|nadzieję|sił*|cel*|przyszłości|chęci)',
    '(po co|dlaczego mam|jaki sens|w jakim celu)',
    '(nie wiem|nie widzę|nie rozumiem) .. (po co|dlaczego|sensu|powodu)',
    '(nic|nikt) .. (nie )?(trzyma)',
  ],
  goOn: [
    '(żyć|żyję|dalej|życia|istnieć|istnieję|wstawać|wstaję|budzić|budzę|ciągnąć|wytrzymać|oddychać|walczyć|kontynuować|zostać na świecie)(?! (w (tym|tej) (mieście|miejscu)|z (tym|tobą)|gry|grać|razem))',
    'trzyma .. (tutaj|tu|życiu|świecie)?',
  ],
  means: [
    '(tabletk*|tabletek|leki|leków|lekarstw*|prochy|pigułk*|insulin*|nasenn*)',
    '(lin[ayę]|sznur*|pętl*|pas[ae]k)',
    '(most*|dach*|balkon*|tor[yówach]+|pociąg*|okn*|wieżow*|klif*|metro|piętr*|wiadukt*)',
    '(żyletk*|nóż|broń|pistolet|gaz|samoch*)',
  ],
  useUp: [
    '(uzbierał[ae]?m|zbieram|odkładam|odłożył[ae]?m|chowam|liczę|policzył[ae]?m|zebrał[ae]?m) .. (wystarcz*|dość|tabletk*|tabletek|leki|leków|żeby)',
    '(wystarczy|wystarczająco|dość) .. (umrzeć|nie obudzić|zasnąć|skończyć|żeby)',
    '(na|wokół|dookoła) (szyi|szyję)',
    '(skoczyć|skoczę|skok|rzucić się|rzucę się|zeskoczyć|puścić się|spaść|krok|jeden krok|położyć się na)(?! (do (basenu|wody)|ze spadochronem))',
    '(połknąć|połknę|wziąć|wezmę|łyknąć|zażyć) .. (wszystkie|wszystko|naraz|całe|całą)',
    '(wszystkie|wszystko) (naraz|na raz)',
    '(wszystko |i )?(by się skończyło|się skończy|byłby koniec|będzie koniec|byłoby po wszystkim)',
    '(nie|nigdy) (już |więcej |się )*(obudzić|obudzę|budzić)( się)?',
    '(do|przy) (skroni|głowy|gardła|ust)',
  ],
  story: [
    '(my|skoczyliśmy|ona|on|oni|rzek[ięaę]|jezior*|basen*|strażnik*|rycerz*|smok*|demon*|wampir*|spadochron*|koń|zamek|król*|statek|pirat*|film*|powieś*|gr[aęyze]+|rozdzia*|postać|kaw[aęy]|pizz*|budzik*|roślin*|telefon*|witamin*|antybiotyk*)',
  ],
  wish: ['(chciał[ae]?bym|chcę|mam nadzieję|marzę|modlę|oby|żeby|niech|wolał[ae]?bym|gdyby|szkoda że)'],
  mishap: [
    '(tir|ciężarówk*|samochód|auto|pociąg|autobus|piorun|ktoś|samolot|bóg|kula) .. (potrąc*|przejech*|zabi*|zabra*|trafi*|uderz*|rozjech*|strzel*)',
    '(potrącił*|przejechał*|zabił*|rozjechał*) .. (mnie|tir|ciężarówk*|samochód|auto|pociąg)',
    '(raka|rak|zawał|guz*|śmiertelna|śmiertelną) ',
    '(serce) .. (zatrzyma*|stanęło|przestało)',
    '(nie|nigdy) (już |więcej |się |musieć )*(obudzić|obudzę|obudziła|obudził|budzić)',
    '(umrzeć|umarł*|zginąć|zginęł*) .. (we śnie|wypadk*)',
    '(zasnąć) .. (zawsze|nie obudzić)',
  ],
  dying: ['(umrzeć|śmierć|śmierci|umieranie|umieraniu|samobójstw*|umrę|martw[ay]|umierać)'],
  relief: [
    '(można|wolno|dobrze|w porządku|pozwól|pozwolenie|mogę|okej) .. (umrzeć|umrę|odejść)',
    '(śmierć|umrzeć|samobójstwo|śmierci) .. (ulg*|spok*|wyjście|rozwiązanie*|wybawienie*|ucieczk*|lepsz*|przyjaci*|jedyn*|ukojeni*)',
    '(jedyn*|ostatni*) (wyjście*|rozwiązanie*|opcja|droga|ratunek*) .. (śmierć|umrzeć|samobójstwo)',
    '(czekam|marzę|tęsknię|pragnę) .. (śmierci|śmierć|umrzeć)',
    '(myślę|myśli|myśleć) .. (o śmierci|o umieraniu|umrzeć) .. (czas|dni*|noc*|ciągle|stale|dzień)',
    '(ciągle|cały czas|codziennie|co noc|bez przerwy|stale) .. (myślę|myśli|myśleć) .. (śmierci|umieraniu|samobójstwie|umrzeć)',
    'zazdroszczę .. (zmarłym|umarłym|martwym)',
  ],
  gone: [
    'nie chcę (już |więcej )*(tu |tutaj )?(być|istnieć|żyć|się budzić|budzić się)( już| więcej)*( tu| tutaj| na (tym|ziemi)[^.]*)? (?!(w (tym|tej) (mieście|szkole)|wcześnie|z|dla|tw*|głodn*|sam*|bez ciebie))',
    '(nie (dożyję|doczekam|przeżyję|będzie mnie|zamierzam dożyć)|mnie już nie będzie) .. (świąt|urodzin|lata|wiosny|nocy|jutra|rana|tygodnia|roku|zimy|miesiąca|[0-9]+|jutro|niedługo)',
    '(niedługo|jutro|wkrótce) mnie (już )?nie będzie(?! (w (domu|szkole|pracy)|na|lecimy|lecę|jadę|jedziemy|wyjeżdżam))',
    '(moje|moja|mój) ostatni[ea]? (święta|urodziny|noc|lato|dzień|wiadomość|zachód słońca|wigilia)(?! (w szkole|wakacji|w pracy))',
    '(kiedy|gdy|jak) (to )?(przeczytasz|przeczytacie|znajdziesz) .. (nie będzie|nie żyję|martw*|odejdę|mnie)',
    '(chcę|chciał[ae]?bym|pragnę|marzę) (tylko |po prostu )*(żeby )?(zasnąć|zniknąć|odejść|usnąć|zamknąć oczy|przestać (istnieć|oddychać)) .. (zawsze|nigdy|istnieć|oddychać|świata|obudzić|dobre)',
    '(odejść|odchodzę|odejdę) (z|na) (tego świata|zawsze|tamten świat)',
    '(myślę|postanowił[ae]?m|planuję|zamierzam|rozważam|zdecydował[ae]?m) .. (ze sobą skończyć|skończyć ze sobą|skończyć z tym|to zakończyć|wszystko zakończyć|odebrać sobie|targnąć)',
    '(skończyć|skończę|kończę|zakończyć|zakończę) (z tym|to|ze sobą|z życiem|wszystko) (wszystkim )?(dziś|dzisiaj|w nocy|jutro|raz na zawsze|na zawsze)',
    '(skończyć|skończę|kończę) ze sobą',
    '(nie (powinienem|powinnam)|nigdy nie) .. (się urodzić|urodzić się|żyć|istnieć)',
    '(wybrał[ae]?m|ustalił[ae]?m) .. (datę|dzień|miejsce|sposób) .. (umr*|śmierci|odejścia|końca|skończ*)',
    '(chcę|wolał[ae]?bym|chciał[ae]?bym) (już )?nie żyć',
  ],
  wound: [
    '(tnę|pocięł[ae]m|ciąć|cięł[ae]m|pociąłem|wycięł[ae]m|wyciąłem|nacinam|nacięł[ae]m|przypalam|przypalił[ae]?m|drapię|podrapał[ae]?m|rozdrapuję|gryzę|biję|kłuję|wbijam|gaszę|zgasił[ae]?m|wyrył[ae]?m|ryję|przykładam|przejechał[ae]?m|okaleczam|rozcięł[ae]m) ',
  ],
  flesh: [
    '(ręk[ęiua]+|rękach|ramię|ramieni*|przedrami*|nadgarst*|ud[aoze]+|udach|nog[ięaę]|nodze|nogach|skór*|brzuch*|dłoni*|żył[yę]?|ciał[oae]|kostk*)',
  ],
  blade: [
    '(żyletk*|ostrz*|nożem|nóż|nożyczk*|zapalniczk*|papieros*|szkł*|szkiem|igł*|cyrkl*|temperówk*|skalpel*|żelazk*)',
    '(słow[oa]|imię|liter*)',
    '(krew|krwi|krwawi*)',
  ],
  because: [
    '(celowo|specjalnie|ukarać|karzę|karę|zasługuję|nienawidzę siebie|nienawidzę swo*)',
    '(czuć|poczuć|ulg*|pomaga|uspokaja*|ból|bólu|radz*|kontrol*|pustk*|lżej)',
    '(znowu|znów|ponownie|codziennie|co (noc|wieczór|dzień)|każde(go|j) (dnia|nocy|wieczoru)|w tajemnicy|po kryjomu|nikt nie (wie|widzi)|nie mogę przestać|przestać|od (lat|miesięcy|kiedy)|muszę|chcę)',
    '(kiedy|gdy|jak) .. (smutn*|źle|samotn*|pust*|lęk*|dużo)',
  ],
  hurtMyself: [
    '(tnę się|ciąć się|się tnę|się ciąć|pocięł[ae]m się|się pocięł[ae]m|pociąłem się|się pociąłem|okaleczam|okaleczać|okaleczanie|samookalecz*|cięcie się|cięciem się|biję się po|głodzę się|przypalam się)',
    '(robię|robić|zrobić|zrobił[ae]?m|zadać|zadaję) (sobie )?(krzywdę|ból)( sobie)?',
    '(sobie) (teraz |znowu |celowo )*(krzywdę|zrobić krzywdę|zrobić coś złego)',
    '(walę|biję|uderzam) .. głową .. (ścian*|mur)',
    '(ranię|ranić|karzę|krzywdzę|krzywdzić) siebie',
    'siebie (ranić|ranię|krzywdz*|karać)',
  ],
  marks: [
    '(chowam|ukrywam|zakrywam|maskuję|długi* ręk*|bluz*) .. (blizn*|cięci*|ran*|ślad*|poparze*|ręce)',
    '(blizn*|rany|cięcia|nacięcia) .. (po żyletce|sama sobie|sam sobie|po cięciu|śwież*)',
    '(chcę|muszę|ochotę|potrzebę|potrzebuję|mam zamiar|zaraz|ochoty) .. (zrobić sobie krzywdę|sobie .. zrobić krzywdę|sobie .. krzywdę|się pociąć|pociąć się|się ciąć|się okaleczyć|okaleczyć się|zranić się|się zranić|zadać sobie ból|siebie zranić)',
    '(chcę|muszę|potrzebuję) (zobaczyć|widzieć) (swoją |własną )?krew',
    '(złamałam|złamałem|nawrót|wrócił[ae]?m) .. (cięci*|żyletk*|tnę|tygodni*|miesiąc*|dni)',
    'żyletk* .. (schowan*|ukryt*|pod (materacem|poduszką)|etui|woła|jedyn*)',
  ],
  accident: [
    '(przypadk*|niechcący|kuchni*|gotow*|gotując|goleni*|goląc|sport*|cebul*|warzyw*|piekarnik*|patelni*|ciast*|chleb*|włos*|papier*|kaw[aąęy]|herbat*|kot|kota|pies|psa|róż[ay]|kolc*|lekarz*|szczepi*|tatuaż*|smok*|miecz*|demon*|wampir*|potknął*|przewrócił*|piłk*|ogrod*|siłown*|upadł*)',
  ],
  attack: [
    `${CHCE} .. (zadźgać|dźgnąć|zastrzelić|otruć|udusić|zamordować|utopić|podpalić|zaatakować|rozjechać|postrzelić|poderżnąć gardło) .. ${BLISKI}`,
    `(zadźgam|dźgnę|zastrzelę|otruję|uduszę|zamorduję|utopię|wystrzelam) .. ${BLISKI}`,
    `${BLISKI} .. (zadźgam|zastrzelę|otruję|uduszę|zamorduję|wystrzelam)`,
    `${CHCE} .. (urządzić|zrobić|spalić|podpalić|wysadzić) .. (strzelaninę|masakrę|szkołę|biuro|kościół|dom|meczet|firmę)`,
    `(spalę|podpalę|wysadzę) .. (szkołę|biuro|kościół|dom (byłe*|sąsi*)|meczet|firmę)`,
    `boję się że .. (zabiję|skrzywdzę|uduszę|uderzę|zrobię krzywdę) .. ${BLISKI}`,
    `(wyobrażam|planuję|myślę|zastanawiam) .. jak .. (zabić|zabijam|otruć|zadźgać|udusić|duszę|zabić) .. ${BLISKI}`,
  ],
  kill: [
    `${CHCE} .. (zabić|skrzywdzić|zranić|pobić|zemścić się na|wykończyć|zrobić krzywdę) .. ${BLISKI}`,
    `(zabiję|zabije|skrzywdzę|pobiję|wykończę|załatwię) .. ${BLISKI}`,
    `${BLISKI} .. (zabiję|skrzywdzę|wykończę)`,
  ],
  soon: [
    '(dziś|dzisiaj|dziś w nocy|jutro|w nocy|wieczorem|teraz|zaraz|wkrótce|w (poniedziałek|wtorek|środę|czwartek|piątek|sobotę|niedzielę|weekend)|w przyszłym tygodniu|po (szkole|lekcjach|pracy)|we śnie|(kiedy|gdy|jak) .. (zaśnie|wróci|przyjdzie|śpi))',
    '(nóż|nożem|broń|pistolet*|siekier*|trucizn*|młot*|benzyn*|karabin*)',
    '(plan|zaplanował*|postanowił*|gotow*|przygotował*)',
  ],
  play: [
    '((ha|he|hi){2,}h?|lol|xd+)',
    '(jeśli|jak|jeżeli) .. (jeszcze raz|znowu|zje|zjadł*|zjadła|dotknie|spoiler*|weźmie)',
    '(w|na) (tej |tym )?(grze|grę|minecraft*|szach*|filmi*|książ*|powieści|rozdzial*|sztuce|histori*|scen*|fortnite|planszów*)',
    '(ork*|smok*|goblin*|demon*|wampir*|król*|tron*|książę*|księżnicz*|królestw*|miecz*|zamek|postać|postaci|rycerz*|mag[ai]?|elf*|pistolet na wodę|śnieżk*|tort*|pizz*|łaskot*|uścisk*|przytul*|niespodziank*|pilot*|zdjęci*)',
    '(nie chcę|nigdy|nie zamierzam)',
  ],
};
