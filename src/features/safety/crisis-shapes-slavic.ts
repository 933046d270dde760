import type { CrisisShapes } from './crisis-shapes.ts';

const ХОЧУ =
  '(хочу|хочется|хотел|хотела|хотелось бы|хоть бы|мечтаю|молю|молюсь|прошу|надеюсь|лучше|лучше бы|если бы|скорей бы|скорее бы|жаль что|жалею|предпочла бы|предпочел бы|жду|мне бы|пусть|хочу чтобы|чтоб|чтобы|заслуживаю|готова?|вот бы)';
const УМЕРЕТЬ =
  '(умереть|умер|умерла|умру|сдохнуть|сдох|сдохла|подохнуть|не жить|не жил|не жила|не просыпаться|не проснуться|не проснулась|не проснулся|не проснусь|не рождаться|не рождалась|не рождался|не родиться|не родилась|не родился|не существовать|не существовала|не существовал|исчезнуть навсегда|пропасть навсегда|исчезнуть из этого мира|уснуть навсегда|заснуть навсегда|уснуть и не|заснуть и не|закрыть глаза навсегда|перестать (дышать|существовать|жить)|быть мертв*|оказаться в могиле|лежать в (гробу|могиле|земле)|меня не (было|стало|будет)|сердце .. остановилось|не быть живой|не быть)';
const НЕ_ХОЧУ =
  '(не хочу|не хочется|не могу|не в силах|не вижу|нет|устала?|надоело|задолбало|заебало|достало|нету|не знаю|незачем|не умею|не осталось|пропал[ао]?|потерял[а]?|не было|боюсь|больше не|бессмысленно|нет больше|сил нет|тошно|расхотелось|не собираюсь|не смогу)';
const ЖИТЬ =
  '(жить|жизни|жизнь|существовать|дышать|просыпаться|проснуться|быть живой|быть живым|быть здесь|оставаться (здесь|в живых|жить)|находиться в этом мире|быть в этом мире|продолжать жить|бороться за жизнь|тянуть|терпеть эту жизнь|этой жизни|эту жизнь|существование)';
const ДРУГИЕ =
  '(всем|все|семье|семья|родителям|родители|детям|дети|маме|мама|папе|папа|мужу|жене|друзьям|друзья|миру|мир|им|они|вам|вы|людям|люди|каждому|другим|тебе|без меня|сыну|дочке|брату|сестре)';
const ЛУЧШЕ =
  '(лучше|легче|проще|спокойнее|счастливее|хорошо|облегчение|вздохнут|свободнее|рады|обрадуются|станет легче|чище|освобожусь|переживут|справятся)';
const НЕТ_МЕНЯ =
  '(умру|умерла|умер|меня не (станет|будет|было|стало)|исчезну|исчезла|исчез|не станет меня|не будет меня|уйду навсегда|не родилась|не родился|покончу|сдохну|сдохла|сдох|я мертв*|не было меня|не существовал[ао]?|убью себя|помру|пропаду)';
const ТАБЛЕТКИ =
  '(таблетки|таблеток|таблетками|снотворное|снотворного|лекарства|лекарств|пилюли|пилюль|парацетамол[а]?|ибупрофен[а]?|феназепам[а]?|упаковку|пачку|инсулин[а]?|антидепрессанты|колеса|успокоительных|димедрол[а]?|уксус)';
const ВЫСОТА =
  '(моста|мост|мосту|крыши|крышу|крыше|балкона|балкон|балконе|окна|окно|многоэтажки|обрыва|обрыв|высотки|этажа|перила|эстакады|парапет|парапете|подоконник|подоконнике|вышки|скалы)';
const ТЕЛО =
  '(руку|руки|руке|рукам|запястье|запястья|запястьях|бедро|бедра|бедру|бедрах|ногу|ноги|ноге|ногах|кожу|коже|кожей|вены|живот|животе|плечо|предплечье|предплечья|ладонь|щиколотк*|ляжк*|тело|теле)';
const ЛЕЗВИЕ =
  '(лезвие[м]?|лезвию|лезвия|лезвии|бритв*|нож|ножом|ножа|канцелярск*|ножниц*|зажигалк*|сигарет*|бычок|окурок|окурки|стекло[м]?|стекла|иглой|игл*|циркул*|точилк*|утюг|скальпел*)';

export const RUSSIAN_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${ХОЧУ} (я |мне |меня |бы |б |просто |уже |бога |господа |каждую |ночь |вечер |день |чтобы |чтоб |больше |никогда |скорее |поскорее |наконец |сегодня |завтра |утром |было |тихо |во сне |честно |и |вообще |только |очень |сейчас |так |что |все |он |она )*${УМЕРЕТЬ}(?! (от (смеха|голода|стыда|скуки|счастья)|за (тебя|короля|родину)|в бою|рядом с тобой|с тобой|рано|в этом городе|так рано))`,
    '(молю|молюсь|прошу|надеюсь|хочу|мечтаю|жду) .. (не|никогда) (больше )?(проснуться|просыпаться|проснусь|проснулась|проснулся|очнуться|вставать)(?! (рано|в шесть|в семь))',
    '(лучше|предпочла|предпочел) (бы )?.. (не (жила|жил|жить|рождал*|быть живой|быть живым|существовал*|просыпал*)|умерл?а?|сдохл?а?|меня не было)(?! (чем|от))',
    '(смирил*|готова?|примирил*|принял[а]?|не боюсь|согласна?) .. (умру|умереть|смерт*|своей смертью|умирать)(?! (за|от))',
    '(смерть|умереть|быть мертв*|не существовать|не проснуться|самоубийство) .. (кажется|была бы|это|было бы|станет|манит|звучит|приносит) .. (облегчен*|лучше|покой|легче|выход*|избавлен*|спасен*|решен*|красив*|проще|освобожден*)',
    '(хочу|хочется|мечтаю|пусть) .. (все|это|боль|жизнь|шум|голоса|мысли|мучения) .. (прекратил*|закончил*|кончил*|остановил*|затих*|исчезл*|прекратится|закончится|кончится) .. (навсегда|раз и навсегда|насовсем|и не возвращ*|уже|.)',
    '(жду не дождусь|считаю дни|скорей бы|жду когда|мечтаю|тоскую) .. (умру|умереть|смерт*|сдохн*|меня не станет)',
    '(дайте|дай) мне (просто |спокойно |уже )*(умереть|сдохнуть)(?! (в твоих|с честью|как воин))',
  ],
  noMoreLife: [
    `${НЕ_ХОЧУ} (я |мне |больше |уже |так |дальше |сил |смысла |причин |причины |желания |никакого |никаких |просто |и |в |от |ни одной |зачем |ради чего |для чего |как |ничего |этой |эту |свою |своей |мочи |что |на |хотеть |продолжать |по утрам |каждый день |совсем |вообще |тут |здесь |интереса |к |всякий смысл |воля |охота |желание |интерес |вкус |дальнейшей |в этой )*${ЖИТЬ}(?! (без|с (тобой|ним|ней|мамой|родителями|соседями)|в (москве|этом|городе|деревне|общежитии|одной)|на (даче|севере|море)|рано|вместе|со|за городом|кипит|города))`,
    '(зачем|для чего|ради чего|к чему|почему я|какой смысл|в чем смысл|не понимаю зачем|не знаю зачем) .. (жить|живу|жизнь|существовать|существую|вставать|просыпаться|дышать|еще жива?|продолжать жить|я здесь|моя жизнь)(?! (в городе|с))',
    '(ничего|ничто|никто|нет будущего|будущего нет|ничто больше) .. (для меня|меня|впереди|не держит|не ждет|не осталось) .. (нет|здесь|держит|жизни|мире|будущего|после|не будет|осталось|ждет)',
    '(для меня) .. (ничего|нет|больше|не будет|будущего) .. (нет|будет|после|осталось|будущего|завтра)',
    '(еще|больше|ни|следующ*|нового|новый) (один |одного |одну |одной |ни |)*(год|года|день|дня|месяц|месяца|ночь|ночи|неделю|недели|зиму|зимы|утро) .. (не выдержу|не вынесу|не смогу|не протяну|не переживу|не хочу|не осилю|не могу)',
    '(не выдержу|не вынесу|не протяну|не переживу|не осилю) .. (еще|больше|этот|эту|ни|этого) (одного |одну |один |)*(год|года|день|дня|месяц|месяца|ночь|ночи|неделю|недели|зиму|зимы)',
    '(жизнь|жить|существование|каждый день|дышать|просыпаться) .. (бессмыслен*|мучение|пытка|невыносим*|ад|обуза|наказание|каторга|не имеет смысла|нет смысла|не стоит|слишком больно|в тягость|не для меня|потеряла смысл|опостылела)(?! (без кофе|без шоколада))',
    '(устала?|надоело|задолбал*|заебал*|достал*|сыта?|замучил*|утомил*) .. (жить|жизни|жизнь|существовать|существовани*|дышать|бороться за|просыпаться|быть живой|от жизни)(?! (в|с|на|за))',
    '(сдалась|сдался|опустила руки|опустил руки) .. (жить|жизн*|умереть)',
  ],
  burden: [
    `${ДРУГИЕ} .. ${ЛУЧШЕ} .. (без меня|(если|когда|как только|после того как) .. ${НЕТ_МЕНЯ})`,
    `(если|когда|как только) (бы |я |вдруг |завтра |просто |меня |)*.. ${НЕТ_МЕНЯ} .. (лучше|легче|проще|спокойнее|счастливее|никто|заметит|заметят|расстроится|хорошо|плакать|вздохнут|справятся)`,
    '(без меня) .. (лучше|легче|проще|спокойнее|счастливее|хорошо|чище)(?! (на|в кино|съезди))',
    `(никто|никому|кто|ни одна душа|кому) .. (замети*|заплач*|вспомни*|огорчи*|расстрои*|дела|важно|нужн*|жалко|придет на|хватится|найдет|будет скучать|не пожалеет) .. (если|когда|что) .. ${НЕТ_МЕНЯ}`,
    '(обуза|лишняя|лишний|балласт) .. (всех|для|семьи|им) .. (умереть|исчезнуть|лучше|не станет|сдохнуть|не жить)',
    '(страховк*|наследство) .. (когда|после|если) .. (умру|моей смерти|не станет)',
  ],
  ending: [
    '(хочу|хочется|решила?|собираюсь|думаю|пора|буду|готова?|планирую|мечтаю|надо|могу|пытал*|подумываю|намерена?) .. (закончить|кончить|покончить|прекратить|оборвать|завершить|прервать|разом) .. (с собой|с жизнью|с этим|жизнь|все это|свою жизнь|страдания|мучения|все|существование)(?! (с этим (проектом|делом)|ремонт|отношения))',
    '(ухожу|уйти|уйду|уходить|покинуть|покидаю|покину|прощаюсь|попрощаться|прощай|свалить|исчезнуть) (скоро |навсегда |сегодня |завтра |наконец |)*(из|с|от) ?(этого|этой|этим)? ?(жестокого |проклятого |гребаного )?(мира|жизни|света|этого света|миром|жизнью)',
    '(покинуть|покидаю|покину|оставить|оставляю|прощай) (этот |этим |)*(жестокий |проклятый |)?(мир|свет)(?! (игры|магии))',
    '(повешусь|повеситься|убьюсь|убиться|застрелюсь|застрелиться|утоплюсь|утопиться|отравлюсь|отравиться|вскроюсь|вскрыться|выпилюсь|выпилиться|самоубьюсь|роскомнадзор*|суициднуться|самоубиться|удавлюсь|удавиться|зарежусь|сигануть|сброшусь|сброситься|спрыгну|выброшусь|выброситься|брошусь под|броситься под|выйду в окно|выйти в окно|убить себя|убью себя|лишить себя жизни|лишу себя жизни|наложить на себя|наложу на себя|порешить себя|перережу себе|кончу с собой|кончать с собой)(?! (от (смеха|скуки)|об стену от))',
    '(дума*|мысл*|планиру*|ищу|искал*|гугл*|представля*|мечта*|фантазир*|читала? как|хожу и думаю) .. (как умереть|о смерти|суицид*|самоубийств*|покончить|убить себя|о своей смерти|свои похороны|моих похорон|о моих похоронах|способ* (умереть|уйти)|умереть|не жить|безболезненн*|не просыпаться)',
    '(суицид|самоубийство|смерть|умереть|покончить) .. (единственн*|последн*|лучш*) .. (выход|решение|вариант|способ|путь|что)',
    '(единственн*|последн*|лучш*|другого|иного) .. (выход[а]?|решение|вариант[а]?|способ|путь|пути|выбор) .. (смерт*|умереть|суицид|самоубийство|покончить|нет кроме)',
    '(в этот раз|на этот раз|в следующий раз) .. (получится|не выживу|не спас*|не облажа*|доведу|точно) .. (умр*|таблет*|конца|крыш*)',
    '(сделать|сделаю|натворю) (с собой|себе) (что то|что нибудь|это)(?! приятное)',
  ],
  parting: [
    '(привел[а]?|привожу|уладил[а]?|разобрал[а]?|завещание|подготовил[а]?|дела|раздал[а]?) .. (в порядок|уладил[а]?|готов*|разобрал[а]?|для) .. (после моей смерти|на время после|перед смертью|чтобы никому|когда меня не|к похоронам|до того как умру|прежде чем уйти|перед уходом)',
    '(последн*) (сообщение|письмо|слова|раз|разговор|ночь|новый год|день рождения|день|вечер|лето) .. (от меня|перед (смертью|тем как умереть|уходом)|в моей жизни|на земле|для меня|моей жизни|до смерти)',
    '(прощай|прощайте|прощаюсь) .. (навсегда|жестокий мир|мир|со всеми|с жизнью|белый свет|навеки)',
    '(написал[а]?|пишу|оставил[а]?|оставлю|записал[а]?|дописал[а]?|приготовил[а]?) .. (предсмертн*|прощальн*|последн* (письм*|записк*|видео))',
    '(раздал[а]?|раздаю|отдал[а]?|отдаю|подарил[а]?|продал[а]?|дарю) .. (вещи|кот*|собаку|одежду|все|книги|гитару|игры) .. (не понадоб*|не нужн*|больше не|там где|не пригод*)',
    '(позаботься|позаботьтесь|прости|простите|не плачь|не плачьте|скажи|скажите|развейте|похороните|забудьте|присмотри|присмотрите|кремируйте) .. (когда|после того как|если|после) (я |)(меня не (станет|будет)|умру|моей смерти|уйду навсегда|умерла|умер)',
    '(когда|после того как|если|после) (я |)(меня не (станет|будет)|умру|моей смерти|уйду навсегда) .. (позабот*|прости*|плач*|скаж*|развей*|похорон*|забуд*|присмотр*|хорошо|легче|лучше|кремир*|письм*|кот*|отдай*)',
    '(выбрал[а]?|назначил[а]?|решил[а]?|нашл?а?|уже|есть) .. (дат[а-я]|день|место|мост|способ|число|когда) .. (умр*|умереть|покончить|спрыгн*|убь*|уйти навсегда|сделаю это|прыгн*|смерт*|повешусь|суицид*)',
    '(не) (доживу|дотяну|встречу|увижу|переживу|буду жить|планирую дожить|собираюсь дожить|доживать) .. (до|нового года|дня рождения|лета|весны|зиму|осени|утра|следующего|конца|тридцати|восемнадцати|рассвет[а]?|этой ночи|эту ночь|завтра|утро)',
    '(к|через) .. (меня уже не (будет|станет)|я уже умру|буду мертв*)',
  ],
  means: [
    `(все|пачку|горсть|упаковку|целую|много|достаточно|кучу|передоз*|банку|коплю|накопила?|[0-9]+|пузырек|флакон|сразу|запас) .. ${ТАБЛЕТКИ} .. (выпь*|выпить|выпил[а]?|прим*|глот*|наглота*|проглоч*|съем|умереть|рядом|передо мной|в руке|уснуть|хватит|разом|сегодня)`,
    `${ТАБЛЕТКИ} .. (рядом|передо мной|в руке|на столе|под рукой|готов*|копл*|накоп*|наглот*) .. (выпь*|выпить|все|хватит|умереть|прим*|глот*|.)`,
    `(выпь*|выпить|выпил[а]?|напь*|глот*|наглота*|проглот*|съесть|нажраться|коплю|накопила?|прячу|наесться) .. (все|пачку|горсть|упаковку|целую|много|кучу|банку|[0-9]+|разом|сразу|пузырек) .. ${ТАБЛЕТКИ}`,
    '(наглота*|нажр*|наж*|наемся|напьюсь|закинусь) (таблеток|снотворного|таблетками|колес|лекарств)',
    '(передоз|передозировк*|передознуться|смертельн* доз*) .. (хочу|устро*|сделать|таблет*|думаю|решил*|умереть|снотворн*|выпить|.)',
    `(прыгну|прыгнуть|прыгать|спрыгну|спрыгнуть|спрыгивать|сброситься|сброшусь|броситься|брошусь|сигануть|сигану|шагнуть|шагну|упасть|выпрыгнуть|выпрыгну|разжать руки|выброситься|выброшусь) .. (с|из|вниз|за|в) .. ${ВЫСОТА}(?! (в (воду|реку|бассейн)))`,
    `(стою|стояла?|сижу|сидела?|смотрю|смотрела?|хожу|иду|пойду|залезу|залезла?|поднял*|вышла?|думаю|каждый раз|с какого|какого|с какой) .. ${ВЫСОТА} .. (прыгн*|спрыгн*|броси*|вниз|шаг|отпустить|упасть|конец|закончи*|сигану*|разжать|полете*)`,
    '(с какого|с какой|какой|какую|какого|под какой) (моста|мост|крыши|крышу|дома|поезд|дерево|способ|этажа) .. (прыг*|спрыг*|выбрать|лучше|броси*|повыше|повеситься|это будет)',
    '(под|перед|на) .. (поезд|поездом|электричку|метро|машину|машины|рельсы|трамвай|автобус|грузовик|фуру|колеса|трассу) .. (броси*|брошусь|шагн*|прыгн*|лечь|лягу|выйти|выйду|кинуться|кинусь|попасть|сигану*)',
    '(броси*|брошусь|шагн*|прыгн*|лечь|лягу|выйти|выйду|кинуться|кинусь) .. (под|перед|на) .. (поезд|поездом|электричку|машину|машины|рельсы|трамвай|автобус|грузовик|фуру|колеса|трассу)',
    '(въехать|врезаться|врежусь|направить машину|разогнаться|съехать|вывернуть руль|влететь) .. (дерево|столб|стену|моста|обрыв[а]?|фуру|отбойник|встречк*|кювет)',
    '(верев*|петл*|ремень|ремня|шнур|удавк*) .. (на шее|на шею|в шкафу|под кроватью|на чердаке|к потолку|готов*|выдержит|табурет*|люстр*|купил[а]?|завязал[а]?|мыло|балк*)',
    '(купил[а]?|завязал[а]?|приготовил[а]?|сделал[а]?|накинуть|затянуть|лезть в|залезть в) .. (петл[юя]|верев* .. (пове*|петл*|умер*))',
    '(вскр*|резать|порезать|перереж*|перерезать|порежу) .. (вены|горло|запястья)',
    '(пистолет|ружье|ствол|дуло|пулю|пуля) .. (в рот|к виску|в голову|в висок|в лоб|себе)',
    '(сколько|какая доза|какую дозу|с какой высоты) ... (умереть|смертельн*|убить себя|не проснуться|насмерть|летальн*|сдохнуть|разбиться)',
    '(истечь|истеку|истекать) кровью .. (ванн*|хочу|тихо|и все|.)',
  ],
  wounding: [
    '(бить|резать|ранить|жечь|прижигать|царапать|кусать|наказывать|калечить|морить|душить|истязать) (себя|себе) .. (единственн*|успокаива*|помога*|это|легче|хочется|снова|чтобы|когда)',
    `(режу|резала?|порезала?|порезал|царапаю|царапала?|бью|била?|жгу|жгла?|прижигаю|прижигала?|кусаю|кусала?|наказываю|калечу|деру|расчесываю|колю|душу|щипаю|раню|ранила?|исполосовал[а]?|исцарапал[а]?|морю|селфхарм*) (себя|себе|снова|опять|вновь|кожу|руки|ноги|голодом|сама|сам) (.. )?(когда|чтобы|потому|каждый|каждую|опять|снова|до крови|если|специально|тайком|ночами|вчера|сегодня|лезвием|ножом|бритвой|за|из за|по ночам|нарочно|уже|постоянно)(?! (случайно))`,
    `(когда|если|чтобы|потому что|каждый раз|опять|снова|нарочно|специально|тайком|вчера|сегодня|до сих пор) .. (режу себя|режусь|режу руки|бью себя|жгу себя|царапаю себя|кусаю себя|порезала себя|порезал себя|порезалась специально|прижигаю|калечу себя|наказываю себя|делаю себе больно|причиняю себе)`,
    `${ЛЕЗВИЕ} .. (о|об|по|на|в|к|до) (свою |своей |левую |правую |)*${ТЕЛО}`,
    `${ТЕЛО} .. (до крови|${ЛЕЗВИЕ}|специально|нарочно) .. (когда|снова|опять|чтобы|если|специально|порез*|реж*|.)`,
    `(кусаю|царапаю|деру|режу|расцарапала?|искусала?|провела|провел|порезала?|исполосовала?|прижгла?|тушу|тушила?|потушила?|потушил|давлю) .. ${ТЕЛО} .. (до крови|лезви*|бритв*|сигарет*|когда|специально|нарочно|снова|опять|ножом)`,
    `(сигарет*|бычок|окурок|зажигалк*) .. (о|об|на|к) .. ${ТЕЛО}`,
    '(снова|опять|вновь|сорвал*|не удержал*) .. (сделала?|сорвал*|порезал*|это) .. (линий|линии|порез*|шрам*|полос*|кров*|лезви*|ноге|руке|бедре|царапин*)',
    '(не ем|перестала? есть|голода*|вызываю рвоту|морю себя|пропускаю) .. (наказ*|заслуж*|ненавижу себя|противн*)',
    '(головой|кулак*|рукой) .. (о|об|в|по) .. (стен*|дверь|пол) .. (когда|пока|до|успок*|чтобы|крови|боль)',
    '(боль|лезвие|кровь|порезы|резать) .. (единственн*|только) .. (что|способ|помогает|успокаивает|чувств*)',
    '(единственн*|только) .. (боль|лезвие|порезы|резать себя|бить себя|кровь) (.. )?(успок*|помога*|чувств*|спас*|.)',
  ],
  craving: [
    '(хочется|тянет|тяга|желание|чешутся|чешется|зуд|тянется|соблазн|ломка|ломает|потребность|скучаю|нужно|нужна|нужен|не могу перестать|не могу не|удержаться|срываюсь|подмывает|порыв|импульс) .. (порез*|резать|к лезвию|лезви*|бритв*|сделать себе больно|причинить себе|ударить себя|увидеть кровь|крови|селфхарм*|поранить себя|поранить|прижечь|порезам|боль*)(?! (хлеб|овощи|волосы|лук|торт|салат))',
    '(хочу|хочется|нужно|жажду) .. (почувствовать|ощутить|увидеть) .. (нож|лезвие|лезвия|бритву|свою кровь|как течет кровь|боль|кровь|ожог|порез)(?! (дракона))',
    '(сорвал*|срыв|рецидив|снова начала?) .. (порез*|резать*|лезви*|селфхарм*|после .. (дней|месяцев|недель|лет)|бритв*)',
    '(хочу|хочется|буду|сейчас|собираюсь|надо|мечтаю|готова?) (опять |снова |просто |очень |)*(порезать себя|порезаться|резаться|сделать себе больно|причинить себе (боль|вред)|ударить себя|поранить себя|порезать (руки|вены|ноги|запястья)|прижечь себя|наказать себя|навредить себе|исцарапать себя|побить себя)',
    '(руки|рука|пальцы) .. (тян*|чеш*|ищ*|прос*) .. (лезви*|бритв*|нож*|порез*)',
  ],
  traces: [
    `(нов*|шесть|пять|четыре|три|семь|свеж*|еще|[0-9]+|много|куча|глубок*) .. (линий|линии|порез*|шрам*|полос*|ожог*|царапин*) .. (на|по|вдоль) .. ${ТЕЛО}`,
    '(бинт*|пластыр*|длинн* рукав*|кофт*|толстовк*|худи|браслет*|напульсник*|скрыва*|пряч*|прикрыва*) ... (порез*|шрам*|запясть*|что я с собой|следы|рубц*)',
    `${ТЕЛО} .. (в|во|покрыт*|исполосован*) .. (порез*|шрам*|ожог*)`,
    '(порез*|шрам*) .. (рукав*|бинт*|никто не|кофт*|пряч*|скрыва*|сама себе|сам себе|сама сделала|от лезвия)',
  ],
  elsewhere: [
    '(игр[аеуы]|игре|уровень|уровне|босс*|квест*|фильм*|роман*|книг*|сери[яию]|сезон*|глав[аеыу]|персонаж*|дракон*|рыцар*|вампир*|зомби|демон*|орк*|эльф*|майнкрафт*|банджи|парашют*|бассейн*|озер*|реку|речк*|море|батут*|домашк*|диет*|сахар*|курить|телефон*|батаре*|принтер*|рецепт*|лук|салат*|кухн*|готов(ила|ил|лю)|бри(лся|лась|тье)|врач*|голов(ной|ная) боль|зубн*|витамин*|кошка|кот поцарап*|роз[аы]|бумаг*|спортзал*|марафон*|случайно|нечаянно|авари*|хаха*|ахах*|лол|мой друг|моя подруга|стих*|песн*|документал*|(он|она|они|кто то) (хочет|хотел*|хотят|собира*|сказал*|говорит|пытал*|решил*|угрожа*|пригрозил*)|договор*|подписк*|встреч[аеу]|летим|рим)',
  ],
  overcome: [
    '(рад|рада|счастлив[а]?|горжусь|благодарна?) .. (жив|жива|живу|выжила?|все еще здесь|осталась жива|остался жив)',
    '(уже|больше|прошло) .. (лет|года|год|месяцев|месяца) .. (не режу|без порезов|без селфхарма|чиста?|не резала|не резал|как я перестала?)',
    '(раньше|когда то|много лет назад|в прошлом|подростком|тогда) ... (сейчас (все хорошо|я счастлив[а]?|люблю|живу)|теперь (все хорошо|я|люблю)|позади|прошло|преодолела?|справилась|справился|терапия помогла|слава богу|перестала|перестал|давно нет)',
  ],
  again: [
    '(сорвал*|тянет|снова|опять|вернул*|возвраща*|сегодня ночью|в последнее время|не могу больше|больше не могу|не хочу жить|но сейчас|рецидив)',
  ],
};
const CHCĘ =
  '(chcę|chce|chciałabym|chciałbym|chciałam|chciałem|wolałabym|wolałbym|wolę|marzę|modlę się|proszę|błagam|mam nadzieję|szkoda że|żałuję że|oby|lepiej|lepiej gdyby|gdybym|gdyby|niech|zasługuję|pragnę|czekam|obym|spodziewam)';
const UMRZEĆ =
  '(umrzeć|umarła|umarł|umarłabym|umarłbym|umrę|nie żyć|nie żyła|nie żył|nie żyję|zdechnąć|zdechła|martw[aey]|nie istnieć|nie istniała|nie istniał|nie istniałabym|nie obudzić|nie obudziła|nie obudził|nie obudzę|już nie obudz*|nigdy się nie (obudzić|urodzić|urodziłam|urodziłem|obudzę)|nie urodz*|zniknąć na zawsze|zniknąć z (tego|powierzchni)|zasnąć na zawsze|zasnąć i|zamknąć oczy na zawsze|przestać (istnieć|oddychać|żyć)|serce .. (stanęło|przestało|zatrzymało)|leżeć w (grobie|trumnie|ziemi)|nie było mnie|mnie nie było|nie być)';
const NIE =
  '(nie chcę|nie chce mi się|nie mogę|nie mam|nie widzę|nie potrafię|nie daję rady|nie umiem|nie wiem po co|mam dość|mam dosyć|zmęczon[aey]|zmęczył*|brak mi|brak|straciłam|straciłem|nie warto|nie ma sensu|nie ma|żadnego|odechciało mi się|nie zamierzam|znudziło mi się|męczy mnie|dosyć|dość|sił|przestałam chcieć|przestałem chcieć|nie wytrzymam)';
const ŻYĆ =
  '(żyć|życia|życie|życiem|istnieć|istnienia|oddychać|być tu|być tutaj|być na tym świecie|na tym świecie|budzić się|obudzić się|się budzić|się obudzić|trwać|być żyw*|dalszego życia|tu być|funkcjonować dalej|ciągnąć tego życia)';
const INNI =
  '(wszystkim|wszyscy|wszystkich|rodzinie|rodzina|rodzicom|rodzice|dzieciom|dzieci|mamie|mama|tacie|tata|mężowi|żonie|przyjaciołom|przyjaciele|światu|świat|im|oni|wam|wy|ludziom|ludzie|każdemu|innym|inni|tobie|nikt|bliskim|synowi|córce|bratu|siostrze)';
const LEPIEJ =
  '(lepiej|łatwiej|prościej|spokojniej|szczęśliwsi|szczęśliwszy|dobrze|ulga|ulgę|lżej|wolni|spokój|odetchną|odetchnęliby|poradzą sobie|zadowoleni|lepszy|lepsze)';
const NIE_MA_MNIE =
  '(umrę|umarła|umarł|umarłam|umarłem|umarłabym|nie żyła|nie żył|nie żyję|nie będę żyć|nie będzie mnie|mnie nie będzie|mnie nie było|nie było mnie|zniknę|zniknęła|zniknął|zniknęłam|zniknąłem|nie istniała|nie istniał|nie istniałabym|nie istniałbym|zabiję się|zabiła|zabił|odejdę|się nie urodziła|się nie urodził|mnie zabraknie|zabrakło|zabraknie mnie|martw[ay])';
const TABLETKI =
  '(tabletki|tabletek|tabletkami|pigułki|pigułek|leki|leków|lekami|tabsy|tabsów|paracetamol[u]?|ibuprofen[u]?|nasenne|nasennych|insulin[yęa]|antydepresanty|antydepresantów|opakowanie|prochy|prochów|xanax)';
const WYSOKO =
  '(mostu|most|moście|dachu|dach|balkonu|balkon|balkonie|okna|okno|oknie|wieżowca|bloku|klifu|urwiska|piętra|wiaduktu|barierki|barierkę|parapecie|parapet|krawędzi|wieży|przepaść|skały)';
const CIAŁO =
  '(rękę|ręce|ręku|ręka|ręki|rękach|nadgarstek|nadgarstki|nadgarstku|nadgarstkach|udo|uda|udzie|udach|nogę|nodze|nogi|nogach|skórę|skórze|skórą|żyły|brzuch|brzuchu|ramię|ramieniu|ramiona|ramionach|przedramię|przedramieniu|przedramiona|dłoń|dłonie|kostk*|łydk*|ciało|ciele|biodr*)';
const OSTRZE =
  '(żyletk*|żyletek|ostrz[ae]m?|nóż|nożem|noża|nożyk*|nożyczk*|zapalniczk*|papieros*|szkł*|szkle|igł*|cyrk*|temperówk*|skalpel*|żelazk*|kiep*|peta|brzytw*|maszynk*)';

export const POLISH_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${CHCĘ} (ja |po prostu |już |żeby |że |żebym |bym |się |mnie |boga |co |noc |wieczór |każdej |nocy |tylko |nigdy |więcej |jutro |dzisiaj |dziś |rano |tak |bardzo |w końcu |wreszcie |szybko |we śnie |ale |raczej |naprawdę |wcale |i |po cichu |on |ona |o |tym |być |zostać |mieć |mógł |mogła |mogła być |mógł być )*${UMRZEĆ}(?! (ze (śmiechu|wstydu|starości)|z (głodu|nudów|tobą|zimna)|za (ciebie|króla|ojczyznę)|w (walce|twoich)|sam[ao]? w|tak wcześnie|wcześnie|zbyt))`,
    '(modlę|proszę|błagam|mam nadzieję|chcę|chciał*|marzę) .. (nie|nigdy|już) .. (obudzi*|obudzę|obudzić|budzić|wstać)(?! (wcześnie|rano o|o (szóstej|piątej)))',
    '(wolał*|lepiej|wolę) .. (nie żyć|nie żyła|umrzeć|być martw*|nie istnieć|nie urodzić|nie być (tu|na)|umarła|umarł)(?! (niż))',
    '(pogodził*|pogodzon*|gotow[aey]|zaakceptował*|nie boję się|godzę) .. (umrę|umrzeć|śmierci*|śmierć|umierać|że odejdę)(?! (za|w walce))',
    '(śmierć|umrzeć|bycie martw*|nie istnieć|nie żyć|nie obudzić|samobójstwo) .. (wydaje|byłoby|była|brzmi|to|jest|przyniesie|kusi) .. (ulg[ąaę]|lepsz[ae]|lepiej|spokój|spokojn[ae]|łatwiej*|wyjście[m]?|wybawieni*|rozwiązani*|piękn[ae]|ukojeni*|odpoczynek)',
    '(chcę|chce|chciał*|pragnę|niech) .. (wszystko|to|ból|życie|hałas|głosy|myśli|cierpienie) .. (ustało|ustał|skończył*|zatrzymał*|przestał*|ucichł*|zniknęło|skończy|minęło|ustały) .. (na zawsze|raz na zawsze|wreszcie|w końcu|.)',
    '(nie mogę się doczekać|odliczam dni|czekam na|tęsknię za|marzę o) .. (umrę|śmierci|śmierć|śmiercią|umrzeć|aż umrę)',
    '(pozwól|pozwólcie|dajcie|daj) mi (po prostu |już |spokojnie )*(umrzeć|zdechnąć)(?! (w twoich|z honorem))',
  ],
  noMoreLife: [
    `${NIE} (mi |się |już |dłużej |tak |dalej |siły |sił |sensu |powodu |powodów |ochoty |żadnego |żadnych |po prostu |i |w |na |chęci |do |po co |czym |tego |to |całego |całe |swojego |mojego |moje |swoje |cię |nic |jak |ani |żeby |odwagi |energii |nadziei |tym |więcej |mam |takiego |takie |codziennie |co rano |woli |by |ciągle |wciąż |jednego |dobrego |dla |którego |warto |bez |z )*${ŻYĆ}(?! (bez|z (tobą|nim|nią|rodzicami|mamą|kotem|psem)|w (warszawie|tym mieście|mieście|bloku|takim mieście|pośpiechu)|na (wsi|kredyt)|razem|wcześnie|o (szóstej|piątej)|nocnego|towarzyskiego|osobist*|studenck*|tak wcześnie|w grze))`,
    '(po co|dlaczego|czemu|jaki sens|dla kogo|po cholerę|nie wiem po co) .. (żyć|żyję|istnieć|istnieję|wstawać|budzić|oddychać|życie|jeszcze (jestem|żyję)|dalej żyć|tu jestem)(?! (w mieście|z))',
    '(nic|nikt|nie ma przyszłości|żadnej przyszłości) .. (dla mnie|mnie|nie trzyma|nie czeka|nie zostało|mi) .. (nie ma|tu|trzyma|życiu|świecie|po|przyszłości|czeka|zostało|nic)',
    '(po tym (miesiącu|tygodniu|roku|lecie)|potem|dalej) .. (nie ma|nic) .. (dla mnie|mnie)',
    '(dla mnie) .. (nic|nie ma|już|żadnej) .. (nie ma|po|zostało|przyszłości|jutra|nic)',
    '(kolejnego|kolejnej|następnego|następnej|jeszcze jednego|jeszcze jednej|ani jednego|ani jednej|jeszcze) .. (roku|dnia|miesiąca|nocy|tygodnia|zimy|ranka|lata) .. (nie wytrzymam|nie przeżyję|nie zniosę|nie dam rady|nie chcę|nie mogę|nie przetrwam)',
    '(nie wytrzymam|nie przeżyję|nie zniosę|nie przetrwam) .. (kolejnego|kolejnej|następnego|jeszcze|ani|tego) .. (roku|dnia|miesiąca|nocy|tygodnia|zimy|życia)',
    '(życie|żyć|istnienie|każdy dzień|oddychanie|bycie) .. (bez sensu|nie ma sensu|ciężar*|męk*|tortur*|nie do zniesienia|piekł*|kar[ąa]|nic nie warte|nie dla mnie|za bardzo boli|bezsensowne|nie jest warte|udręk*)(?! (bez (kawy|czekolady)))',
    '(zmęczon[aey]|zmęczył*|dość|dosyć|znudzon[aey]|wykończon[aey]) .. (życiem|życia|żyć|istnieniem|istnienia|byciem|budzenia|oddychaniem)(?! (w|z|na))',
    '(poddałam|poddałem|poddaję) .. (życi*|żyć|umrzeć)',
  ],
  burden: [
    `${INNI} .. ${LEPIEJ} .. (beze mnie|(jak|kiedy|gdy|gdyby|jeśli|jeżeli|gdybym|skoro) .. ${NIE_MA_MNIE})`,
    `(jak|kiedy|gdy|gdyby|jeśli|jeżeli|gdybym) (ja |już |po prostu |tylko |się |mnie |)*.. ${NIE_MA_MNIE} .. (lepiej|łatwiej|prościej|spokojniej|szczęśliwsi|nikt|zauważy*|dobrze|płaka*|odetchn*|tęskni*|poradzą|lżej)`,
    '(beze mnie) .. (lepiej|łatwiej|prościej|spokojniej|szczęśliwsi|lżej|lepszy|dobrze)(?! (na|w kinie))',
    `(nikt|nikomu|nikogo|kto|komu|żadna dusza|ktokolwiek) .. (zauważ*|zapłacz*|płaka*|tęskni*|obejdz*|obchodz*|przejmie|przejął|pamięta*|szuka*|smutn*|pogrzeb*|żal|zorientuje|brakowało) .. (jak|kiedy|gdy|gdyby|jeśli|gdybym|że) .. ${NIE_MA_MNIE}`,
    '(ciężar*|kul[aąę] u nogi|zbędn*) .. (wszystkich|dla|rodziny|nich) .. (umrzeć|zniknąć|lepiej|nie żyć|nie będzie)',
    '(ubezpieczeni*|spadek|polis*) .. (kiedy|gdy|po|jak) .. (umrę|mojej śmierci|mnie nie)',
  ],
  ending: [
    '(chcę|chce|chciał*|postanowił*|zamierzam|myślę|czas|muszę|planuję|gotow[ay]|pora|zaraz|mogę|próbował*|decyduję|dzisiaj|dziś|jutro) .. (skończyć|zakończyć|kończę|skończę|zakończę|położyć kres|przerwać) .. (ze sobą|z życiem|z tym wszystkim|życie|to wszystko|swoje życie|cierpienie|wszystko|życiu|z tym raz|żywot|mękę)(?! (remont|projekt|związek))',
    '(odchodzę|odejść|odejdę|opuścić|opuszczam|opuszczę|żegnam|pożegnać|żegnaj|zniknąć|zejść|znikam|uciec) (na zawsze |niedługo |dzisiaj |dziś |jutro |wreszcie |się |)*(z |ze |od )?(tego|ten|tym|to|tej|tą|okrutn*) (okrutn* |cholern* |jeban* )?(świata|świat|światem|życia|życie|życiem|ziemi|padoł*)(?! (gry|magii))',
    '(powieszę się|powiesić się|się powiesić|się powieszę|zastrzelę się|zastrzelić się|się zastrzelić|utopię się|się utopić|otruję się|się otruć|otruć się|podetnę sobie|podciąć sobie|sobie podciąć|skończę ze sobą|skończyć ze sobą|ze sobą skończyć|zabić się|się zabić|zabiję się|się zabiję|odebrać sobie życie|odbiorę sobie życie|sobie życie odebrać|strzelić sobie w (łeb|głowę)|strzelę sobie w|rzucę się pod|rzucić się pod|się rzucić pod|skoczę z (mostu|dachu|okna|balkonu)|targnąć się|targnę się|wyhuśtać się|się wyhuśtać|samobój* popeł*|popełni* samobój*|odebrać życie sobie|wyskoczyć przez okno|wyskoczyć z okna|wyskoczę z okna|unicestwić się|wykończyć się)(?! (ze śmiechu|z nudów|na siłowni|o (rękę|kota)))',
    '(myśl*|planuj*|szukam|szukał*|googl*|wyobrażam|marzę|fantazjuj*|rozważam|czytał* jak|zastanawiam) .. (jak umrzeć|o śmierci|samobójst*|samobójcz*|skończyć ze sobą|zabić się|się zabić|moją śmierć|o swojej śmierci|swój pogrzeb|mój pogrzeb|pogrzebie|sposob* (na śmierć|by umrzeć|żeby umrzeć)|umrzeć|nie żyć|bezbolesn*|odebrać sobie)',
    '(samobójstwo|śmierć|umrzeć|skończyć ze sobą) .. (jedyn*|ostatni*|najlepsz*) .. (wyjście[m]?|rozwiązanie[m]?|opcj*|sposób|sposobem|drog*|co)',
    '(jedyn*|ostatni*|najlepsz*|innego|inne) .. (wyjście[m]?|wyjścia|rozwiązanie[m]?|rozwiązania|opcj*|sposób|drog*|wybór) .. (śmierć|umrzeć|samobójst*|skończyć ze sobą)',
    '(tym razem|następnym razem) .. (uda|udać|nie przeżyję|nie odratuj*|nie uratuj*|na pewno) .. (umr*|tablet*|końca|most*)',
    '(zrobić|zrobię) sobie coś(?! (dobrego|do jedzenia|miłego|pysznego))',
  ],
  parting: [
    '(uporządkował*|załatwił*|przygotował*|testament|sprawy|wszystko|poukładał*) .. (po mojej śmierci|na czas po|przed śmiercią|żeby nikt nie musiał|kiedy mnie nie|na pogrzeb|zanim umrę|zanim odejdę|gdy mnie zabraknie)',
    '(ostatni*) (wiadomość|list|słowa|raz|rozmowa|noc|święta|urodziny|dzień|wieczór|lato|wpis) .. (ode mnie|przed śmiercią|zanim (umrę|odejdę|to zrobię)|w moim życiu|na ziemi|mojego życia|w życiu)',
    '(żegnaj|żegnajcie|żegnam) .. (na zawsze|okrutny świecie|świecie|wszystkich na|życie|na wieki)',
    '(napisał*|piszę|zostawił*|zostawiam|nagrał*|przygotował*|skończył* pisać) .. (list* pożegnaln*|pożegnaln*|ostatni list|list samobójczy|nagranie pożegnalne)',
    '(rozdał*|rozdaję|oddał*|oddaję|podarował*|sprzedał*) .. (rzeczy|kot*|psa|ubrania|wszystko|książki|gitarę|gry) .. (nie będ* (mi )?(potrzebn*|potrzebować)|już nie potrzebuję|nie przyda*|tam gdzie)',
    '(zaopiekuj*|zajmij*|wybacz*|przebacz*|nie płacz*|powiedz*|rozsyp*|pochowaj*|zapomnij*|skremuj*|opiekuj*) .. (kiedy|gdy|jak|jeśli|po) (już |)(mnie (nie będzie|zabraknie)|umrę|mojej śmierci|odejdę na)',
    '(kiedy|gdy|jak|jeśli|po) (już |)(mnie (już )?(nie będzie|zabraknie)|umrę|mojej śmierci|odejdę na zawsze) .. (zaopiek*|zajmi*|wybacz*|płacz*|powiedz*|pochow*|zapomn*|dobrze|lepiej|łatwiej|kot*|listy?|weź*|rozsyp*)',
    '(wybrał*|ustalił*|zdecydował*|znalazł*|mam już|wiem już) .. (dat*|dzień|miejsce|most|sposób|termin|kiedy) .. (umr*|umrzeć|skończ*|skocz*|zabi*|odejdę|zrobię to|śmierc*|powiesz*|samobój*)',
    '(nie) (dożyję|doczekam|zobaczę|przeżyję|będę żyć|planuję dożyć|zamierzam dożyć|dotrwam) .. (świąt|urodzin|lata|wiosny|zimy|rana|przyszłego|końca|trzydziestki|osiemnastki|nocy|jutra|następn*|nowego|tej)',
  ],
  means: [
    `(wszystkie|garść|opakowanie|całe|cały|dużo|wystarczająco|masę|przedawk*|słoik|zbieram|nazbierał*|uzbierał*|[0-9]+|butelk*|fiolk*|naraz|zapas|blister) .. ${TABLETKI} .. (wezmę|wziąć|wzięł*|połkn*|łykn*|połykam|umrzeć|obok|przede mną|w ręku|w ręce|zasnąć|starczy|wystarczy|naraz|dziś|dzisiaj)`,
    `${TABLETKI} .. (obok|przede mną|w ręku|w ręce|na stole|gotowe|na szafce|pod ręką|zbier*|leżą) .. (wezmę|wziąć|wszystkie|wystarczy|umrzeć|połkn*|łykn*|.)`,
    `(wezmę|wziąć|wzięł*|wziąłem|połkn*|łykn*|nałyk*|zjeść|zbieram|nazbierał*|chowam|najeść|nażreć|odkładam) .. (wszystkie|garść|opakowanie|całe|dużo|masę|słoik|[0-9]+|naraz|butelkę|fiolkę|się) .. ${TABLETKI}`,
    '(przedawk*|śmierteln* dawk*) .. (chcę|wziąć|tablet*|myśl*|lek*|umrzeć|zrobić|insulin*|dzisiaj|.)(?! (kaw*|cukr*|czekolad*))',
    `(skoczyć|skoczę|wyskoczyć|wyskoczę|rzucić się|rzucę się|się rzucić|się rzucę|zeskoczyć|zeskoczę|krok w|spaść|się puścić|puścić się|zrobić krok|runąć|spadnę|skakać) .. (z|ze|przez|za|w|od) .. ${WYSOKO}(?! (do (wody|rzeki|basenu)))`,
    `(stoję|stał*|siedzę|siedział*|patrzę|patrzył*|chodzę|idę|pójdę|wejdę|wesz*|myślę|za każdym razem|z którego|którego) .. ${WYSOKO} .. (skocz*|rzuc*|w dół|krok|puści*|spaś*|koniec|skończ*|lecę|przepaść)`,
    '(z którego|z jakiego|który|jaki|pod jaki|pod który) (mostu|most|dachu|dach|bloku|pociąg|drzewo|sposób|piętra) .. (skocz*|wybrać|lepszy|rzuc*|wysok*|powies*|to będzie)',
    '(pod|przed|na) .. (pociąg|pociągiem|metro|samochód|samochody|tory|tramwaj|autobus|tira|ciężarówkę|ulicę|autostradę) .. (rzuc*|skocz*|wejść|wejdę|położ*|wskocz*|wyjść|wyjdę)',
    '(rzuc*|skocz*|wejść|wejdę|położ*|wskocz*) (się )?(pod|na|przed) .. (pociąg|pociągiem|metro|samochód|tory|tramwaj|autobus|tira|ciężarówkę|autostradę)',
    '(wjechać|wjadę|wbić się autem|rozpędzić|zjechać|skręcić kierownic*|uderzyć autem|rozbić się autem) .. (drzewo|słup|mur|mostu|przepaść|tira|ścianę|filar|czołowo)',
    '(sznur|sznurek|lin[aęy]|pętl*|pasek|kabel|stryczek) .. (na szyi|na szyję|w szafie|pod łóżkiem|na strychu|u sufitu|gotow*|wytrzyma|stołek|krzesł*|kupił*|zawiązał*|belk*|żyrandol*|wokół szyi)',
    '(kupił*|zawiązał*|przygotował*|zrobił*) .. (pętlę|stryczek|sznur .. (powie*|pętl*|szyj*))',
    '(podciąć|podetnę|podciął*|przeciąć|przetnę|poderżnąć|pociąć) .. (żyły|gardło|nadgarstki)',
    '(pistolet|strzelba|broń|luf*|kulk*|kul[ęa]) .. (do ust|w ustach|do głowy|przy skroni|do skroni|w łeb|sobie w)',
    '(ile|jaka dawka|jaką dawkę|z jakiej wysokości) ... (umrzeć|śmierteln*|się zabić|nie obudzić|na śmierć)',
    '(wykrwawi*)( .. (się|chcę|wannie|po cichu|.))',
  ],
  wounding: [
    '(bicie|cięcie|ranienie|przypalanie|drapanie|gryzienie|karanie|okaleczanie|głodzenie|krzywdzenie) (się|siebie) .. (jedyn*|uspokaja|pomaga|to|daje|ulg*|znowu)',
    `(tnę|cięłam|ciąłem|pocięłam|pociąłem|drapię|drapał*|biję|biłam|biłem|przypalam|przypalił*|gryzę|gryzł*|karzę|okaleczam|okaleczył*|ranię|zraniłam|szczypię|głodzę|kaleczę|rozdrapuję|samookaleczam|uderzam|pociełam) (się|siebie|sobie|znowu|znów|w) (.. )?(kiedy|gdy|żeby|bo|co|każd*|znowu|znów|do krwi|jak|specjalnie|celowo|w ukryciu|nocami|wczoraj|dzisiaj|dziś|żyletką|nożem|nocą|za karę|od|po kryjomu|ciągle|po)(?! (przypadk*))`,
    `(kiedy|gdy|żeby|bo|znowu|znów|celowo|specjalnie|po kryjomu|wczoraj|dziś|jak) .. (się tnę|tnę się|się pocięłam|się pociąłem|się biję|biję się po|się drapię do|się przypalam|robię sobie krzywdę|zadaję sobie ból|się okaleczam|okaleczam się|się ranię)`,
    `${OSTRZE} .. (po|na|o|w|do|przy) (swoim |lewym |prawym |lewej |prawej |swojej |moim |mojej )*${CIAŁO}`,
    `(gryzę|drapię|tnę|rozdrapuję|pocięł*|przejech*|nacinam|nacięł*|przypal*|gaszę|zgasił*) .. ${CIAŁO} .. (do krwi|żyletk*|papieros*|kiedy|gdy|celowo|specjalnie|znowu|znów|nożem|bo|aż|żeby)`,
    `${CIAŁO} .. (do krwi|aż do krwi|aż poleci krew|celowo|specjalnie) `,
    '(znowu|znów|ponownie|złamał*|nie wytrzymał*) .. (zrobił*|to|pocięł*|pociął*|stało) .. (kres*|cięć|cięcia|cięcie|blizn*|ran*|krew|krwi|żyletk*|nodze|ręce|udzie|linii)',
    '(nie jem|przestał* jeść|głodzę|wymiotuję|opuszczam posiłki) .. (ukara*|karę|zasługuję|nienawidzę siebie|brzydz*)',
    '(głową|pięści*|ręką) .. (o|w) .. (ścian*|mur|drzwi|podłog*) .. (kiedy|gdy|aż|uspok*|żeby|krwi|ból)',
    '(ból|żyletka|krew|cięcie|rany) .. (jedyn*|tylko) .. (co|sposób|pomaga|uspokaja|czuj*)',
    '(jedyn*|tylko) .. (ból|żyletka|cięcie się|krew|bicie się|cięcie) (.. )?(uspok*|pomaga|czuj*|ulg*|.)',
  ],
  craving: [
    '(ochot*|ciągnie|chęć|chęci|swędz*|pokus*|potrzeb*|tęskn*|brakuje mi|nie mogę przestać|powstrzym*|przymus|impuls|głód|kusi|korci) .. (się pociąć|pociąć się|się ciąć|ciąć się|żyletk*|ostrz*|zrobić sobie krzywdę|zranić się|się zranić|cięcia|cięci*|krwi|krew|przypalić się|bólu|okalecz*|uderzyć się)(?! (chleb|warzywa|włosy|ciasto|cebul*|sałat*))',
    '(chcę|chce|potrzebuję|muszę|chciał*) .. (poczuć|zobaczyć|czuć) .. (nóż|ostrze|żyletkę|swoją krew|jak leci krew|ból na|krew|oparzenie|cięcie|moją krew)(?! (smoka))',
    '(złamał*|nawrót|wpadka|wróciłam do|wróciłem do|znowu zaczęł*|znów zaczęł*) .. (cięc*|ciąć|pocięł*|żyletk*|okalecz*|po .. (dniach|miesiącach|tygodniach|latach))',
    '(chcę|chce|chciał*|muszę|zaraz|mam ochotę|potrzebuję|będę) (znowu |znów |po prostu |bardzo |się |)*(pociąć się|się pociąć|pociąć|ciąć się|zrobić sobie krzywdę|zadać sobie ból|uderzyć się|zranić się|zranić|przypalić się|ukarać się|skrzywdzić się|podrapać się do|okaleczyć)(?! (chleb|ciasto|papier|warzywa|włosy))',
    '(ręka|ręce|palce) .. (ciągn*|swędz*|szuka*|lgn*) .. (żyletk*|ostrz*|noż*|cięci*)',
  ],
  traces: [
    `(now*|sześć|pięć|cztery|trzy|siedem|śwież*|kolejn*|[0-9]+|pełno|dużo|głębok*) .. (kres*|cięć|cięcia|blizn*|ran*|nacię*|oparze*|lini*|szram*) .. (na|po|wzdłuż) .. ${CIAŁO}`,
    '(bandaż*|plast*|długi* rękaw*|bluz*|bransolet*|ukrywam|chowam|zakrywam) ... (cięć|cięcia|blizn*|nadgarst*|ślad*|co sobie (robię|zrobił*)|ran* po)',
    `${CIAŁO} .. (pełn*|pokryt*) .. (blizn|cięć|oparzeń|ran)`,
    '(cięcia|blizny|cięć|blizn) .. (rękaw*|bandaż*|nikt nie|bluz*|ukrywam|chowam|sama sobie|sam sobie|po żyletce)',
  ],
  elsewhere: [
    '(grze|grę|gra|gry|poziom*|boss*|misj*|film*|powieś*|książ*|odcin*|sezon*|rozdzia*|posta[ćc]i?|bohater*|smok*|rycerz*|wampir*|zombie|demon*|ork*|elf*|minecraf*|bungee|spadochron*|basen*|jezior*|rzek*|morz*|trampolin*|prac[aey] domow*|diet*|cukr*|palić|telefon*|bateri*|drukark*|przepis*|cebul*|kuchni*|gotowa*|goleni*|lekarz*|lekarza|doktor|ból głowy|dentyst*|witamin*|róż[aey]|papier|siłowni*|maraton*|przypadk*|niechcący|wypad* samochodow*|haha*|xd|lol|mój kolega|moja koleżanka|wiersz*|piosenk*|dokument*|(on|ona|oni|ktoś) (chce|chcia*|zamierza*|mówi*|powiedzia*|próbowa*|postanowi*|grozi*)|umow*|subskrypcj*|spotkani*|lecimy|rzymu)',
  ],
  overcome: [
    '(ciesz*|szczęśliw*|dumn*|wdzięczn*) .. (żyję|że jestem|przeżył*|nadal tu)',
    '(od|już|minęło) .. (lat|roku|miesięcy|lata) .. (nie tnę|bez cięcia|czyst*|nie pocięł*|nie robię sobie|nie okaleczam)',
    '(kiedyś|dawniej|lata temu|w przeszłości|jako nastolat*|wtedy) ... (dziś (jest|jestem|kocham|żyję)|teraz (jest (dobrze|lepiej)|jestem|kocham)|za mną|minęło|pokonał*|poradził*|terapia pomogła|na szczęście|przestał*|wyzdrowiał*)',
  ],
  again: [
    '(nawrót|znowu|znów|wróci*|wraca*|dziś w nocy|dzisiaj w nocy|ostatnio|nie daję rady|nie mogę już|ale teraz|ochot*|ciągnie|nie chcę żyć)',
  ],
};
