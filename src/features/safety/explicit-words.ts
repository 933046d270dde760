/**
 * Words of explicit sexual texts, in twelve languages, for what is shown to everybody as harmless. Sources of regular
 * expressions over folded text (minors-patterns.ts): small letters, Latin ones without their marks. A blank stands for
 * blanks and hyphens, `~` for any ending. All languages are looked for in every text, so a word that means something
 * harmless in one of them is none here, or stands with what makes it plain. Swearing is none, nor is love.
 */
export interface ExplicitWords {
  /** Whether words stand apart from each other. */
  spaced: boolean;
  /** Explicit wherever they stand. */
  words: readonly string[];
  /** What a text is about: none where it says that there is none of it. */
  topics: readonly string[];
}

const EN: ExplicitWords = {
  spaced: true,
  words: [
    '(?:blow|hand|rim|foot|tit) ?jobs?',
    'cum ?shots?|creampie[ds]?|cum ?(?:sluts?|dumps?)|deepthroat~|gang ?bang~|bukkake|futanari~|ahegao',
    'cumming (?:in|inside|on|over|hard|for|together|all)|cums (?:in|inside|on|over|hard|for|all)',
    '(?:make|makes|making|made|want|wants|going|gonna|need|needs|about|let|lets) (?:me |you |him |her |them )?(?:to )?cum',
    '(?:your|his|my|her|their|hot) cum(?! laude)',
    'masturbat~|masturb(?:ier|azi|arse|arte|arme|acao|acja|uj|er|e|o|i|asi)~|orgasm~|orgazm~|ejaculat~|ejakul~|fellatio|cunnilingus|dildos?|butt ?plugs?|clit|clits|clitoris|klitoris',
    '(?:his|her|my|your|their|hard|throbbing|huge|thick|erect|massive|aching) (?:(?:hard|throbbing|huge|big|thick|wet|tight|erect|massive|aching|own) )*(?:cocks?(?! ?(?:pit|tail|crow))|dicks?|penis|boner|erection|pussy(?! ?(?:cat|willow))|cunt|tits|titties|nipples)',
    '(?:wet|tight|dripping|eats?|eating|licks?|licking) (?:pussy(?! ?cat)|pussies|cunt)',
    'horny(?! (?:toads?|goats?|lizards?|beasts?|skin|plates?|owls?|helmet|devils?|scales?))',
    'fuck(?:s|ed|ing)? (?:me|you|her|him|them|us|each other) (?:hard~|raw|senseless|deep~|rough~|from behind|in the ass|all night|until|till)',
    '(?:want|wants|wanna|love|loves|like|likes|need|needs|begs?|begging|ready|wanted|lets?)(?: you| me| him| her| them)? (?:to )?(?:(?:be|get) fucked(?! (?:up|over))|fuck (?:you|me|her|him|them|your)(?! (?:up|over)))',
    'fuck ?(?:toys?|dolls?|budd(?:y|ies)|slaves?|meat|holes?)',
    '(?:jerk|jack)(?:s|ed|ing) off|anal (?:play|plug|beads)|double penetration',
    'sex ?(?:slaves?|toys?|dolls?)|sexually (?:insatiable|submissive)|breeding kink|nymphomaniac~',
  ],
  topics: [
    'porn|porno|porns?tars?|pornograph~|pornogra~|pornos|nsfw|bdsm|hentai|sexting|erotica|erotic (?:roleplay|rp|story|stories|chat)|smut',
    'sexual(?:ly explicit| intercourse)',
    '(?:have|has|having|had|want|wants|wanting|crave|craves|wild|hot|steamy|passionate|casual|anal|oral|rough|kinky|phone) sex(?! (?:change|ed|education|appeal|therap~))',
  ],
};

const DE: ExplicitWords = {
  spaced: true,
  words: [
    'ficken|fickt|gefickt|durchgefickt|fickst',
    '(?:mich|dich|miteinander) vogeln|vogelt (?:mich|dich)|gevogelt',
    '(?:mir|dir|ihm) (?:einen|eins) (?:geblasen|blasen|runterholen)|blas(?:t|e|en)? (?:mir|dir|ihm) einen',
    '(?:hart|steif|prall|pochend|erigiert)~ (?:schwanz~|penis|glied)|(?:lutsch|saug)~ (?:an )?(?:mein|dein|sein)~ (?:schwanz|penis|eier)',
    '(?:feucht|nass|eng)~ (?:muschi|fotze|mose|spalte)~|titten|brustwarzen',
    'onanier~|selbstbefriedigung|sperma(?!ce)~|abspritz~|sexsklav~|sexspielzeug~|aufgegeilt|aufgeilen',
  ],
  topics: [
    '(?:hab|habe|hast|hat|haben|habt|hatte|hatten|wollen|will|willst|wilder|wilden|harter|harten|heisser|heissen|versauter|versauten) sex|analsex|oralsex|gruppensex',
    'sex (?:haben|will|wollen|mit (?:mir|dir|ihm|ihr|euch|uns))|erotische~ (?:rollenspiel|geschichte)~',
  ],
};

const FR: ExplicitWords = {
  spaced: true,
  words: [
    '(?:me|te|la|nous|se) bais(?:e|er|es|ent|ait|ais)(?! (?:la|les|le) (?:main~|front|joue~|pied~))|baise (?:moi|la)(?! (?:main|joue))',
    'suc(?:e|er|ant|es) (?:(?:moi|lui|me) )?(?:ma|ta|sa|la|une|des|leur) (?:bite|queue|verge)s?|(?:ma|ta|sa|grosse|leur) bites?',
    '(?:queue|verge) (?:dure|raide|gonflee)|chatte (?:mouillee|humide|trempee)|(?:se|me|te|le|la) branl(?:e|er|es|ait)|branlette~|sodomis~',
    '(?:me|te|la|le|faire|fait|fais) (?:faire |fait )?jouir(?! de)|jouir (?:en|dans|sur) (?:moi|toi|elle|lui|sa|ta|ma)',
    '(?:ses|tes|mes) tetons|sperme|ejacul~|en levrette|plans? cul|fellations?',
  ],
  topics: [
    '(?:faire|font|fait|faisons|veut|veux|envie de) (?:du )?sexe|sexe (?:oral|anal|torride|sauvage|brutal|explicite)|jeu de role erotique|histoires? erotiques?',
  ],
};

const ES: ExplicitWords = {
  spaced: true,
  words: [
    'foll(?:ar|ame|arte|arme|arla|arlo|arnos|amos|ando|ada)|coge(?:me|rte|rme|rla) (?:duro|rico|fuerte|toda)',
    'chup(?:a|ar|ame|as|arte|arle|ando)(?: ?(?:me|te|se|le))? (?:la|mi|su|tu|el) (?:polla|verga|pene|pija|concha|cono)|chup(?:amela|arsela|artela)',
    '(?:mi|tu|su|dura) polla|polla dura|(?:mi|tu|su) (?:verga|pene|pija|semen)|cono (?:mojado|humedo|empapado)|tetas|pezones',
    '(?:correrme|correrte|correrse|me corro|te corres|se corre) (?:dentro|en (?:tu|su|mi) (?:boca|cara))|masturb~|hacer(?:me|te|se|le) una paja|eyacul~|cachond[oa]s?',
  ],
  topics: [
    '(?:tener|tiene|tienen|tenemos|teniendo|tuvimos|quiere|quiero|hacer|ter|tem|fazer|fazendo|quer|quero) (?:mucho |muito )?sexo|sexo (?:oral|anal|duro|salvaje|selvagem|explicito|en grupo|em grupo)|(?:rol|juego de rol|roleplay) erotico|historias? eroticas?',
  ],
};

const PT: ExplicitWords = {
  spaced: true,
  words: [
    '(?:me|te) fod(?:e|er|a) (?:forte|gostoso|com forca|toda|todinha|de quatro|por tras)|fodendo (?:ela|ele|voce|minha|sua)',
    'chup(?:a|ar|ando|o|ou) (?:o |a )?(?:meu |seu |teu |minha |sua )?(?:pau|rola|pinto|buceta|penis)|pau (?:duro|dele na)|pinto duro',
    'bucetas?|boquetes?|punhetas?|siriricas?|tesao|mamilos|gozar (?:dentro|na boca|na cara)|(?:me|te) faz(?:er)? gozar|(?:meu|seu|teu) penis',
  ],
  topics: [
    'trans(?:ar|ando|ou|amos|aram) (?:com|comigo|contigo|a noite)|quer(?:o|ia)? transar|roleplay erotico',
  ],
};

const IT: ExplicitWords = {
  spaced: true,
  words: [
    'scop(?:ami|armi|arti|arla|arlo|ata|ate|iamo)|(?:mi|ti) scopa(?:va)?|pompin[oi]|sborr~|ditalin[oi]',
    'cazzo (?:duro|in bocca|dentro)|(?:mio|tuo|suo) (?:cazzo|pene) (?:duro|dentro|in)|(?:fica|figa) (?:bagnata|umida|stretta)|(?:mia|tua) figa',
    'tette|capezzoli|(?:vengo|venirti|venirmi|venirle) dentro|leccar(?:ti|mi|le) la (?:fica|figa)|masturb~',
  ],
  topics: [
    '(?:fare|fanno|facciamo|fa|facendo|fatto|vuole|vogliono) sesso|sesso (?:orale|anale|selvaggio|sfrenato|esplicito)|gioco di ruolo erotico|raccont[oi] erotic[oi]',
  ],
};

const RU: ExplicitWords = {
  spaced: true,
  words: [
    'трах(?:а|н)~|(?:вы)?еб(?:ать|ет|ал|у|и) (?:меня|тебя|ее|его)|минет~|отсос(?:и|ать|ала?|ет)|дроч(?:ит|ать|у|ил|ила|ишь)~',
    '(?:тверд|стоящ|возбужденн|набухш|эрегированн|вставш)~ член(?:а|у|ом|е|ы)?(?! (?:семьи|клуба|команды|партии))|сос(?:ет|ать|ала?|и|у) (?:(?:его|мой|твой|ему) )?член',
    '(?:мокр|влажн)~ (?:пизд|вагин|щел)~|кончи(?:л|ла|ть|шь|м) (?:в|на) (?:нее|меня|тебя|рот|лицо|грудь)|сперм(?:а|у|ы|ой)|мастурб~|оргазм~|эякул~',
    'куннилингус~|клитор~|эрекци~|сиськ~|сисек|(?:ее|твои|мои|затвердевш~|возбужденн~) соск~|секс ?рабын~',
  ],
  topics: [
    'порно~|хентай|(?:оральн|анальн|груб|жестк)~ секс~|эротическ~ (?:ролев|рассказ|истори)~|(?:заним|заня)~ сексом|секс (?:с тобой|со мной|с ней|с ним|втроем)|(?:хо|люб)~ секса?',
  ],
};

const PL: ExplicitWords = {
  spaced: true,
  words: [
    'pieprz(?:yc|yl|yla|e) (?:mnie|cie|go)|(?:wy|prze)?ruchac|rucha (?:mnie|cie|ja|go)|(?:mnie|cie|ja|go) rucha(?:l|la|c)?|ruchaj mnie',
    '(?:zrob|rob)~ (?:mi|ci|mu|jej) (?:loda|lodzika)|kutas(?:a|em|y|ie)?|cipk(?:a|i|e|o|ach|ami)|cip(?:e|y)|cyck(?:i|ow|ami|ach)|sutk(?:i|ow|ami|ach)',
    '(?:wali|trzepa)~ konia|masturb~|lechtaczk~|spusc~ sie (?:w|na)|wzwod~|lizac (?:mi|ci|jej) cip~',
  ],
  topics: [
    'uprawia~ seks~|seks (?:z toba|ze mna|z nia|z nim)|(?:ostry|dziki|goracy) seks~|seks~ (?:oraln|analn|grupow)~|opowiadani~ erotyczn~|erotyczn~ (?:rp|rozgrywk)~',
  ],
};

const ID: ExplicitWords = {
  spaced: true,
  words: [
    '(?:me)?ngentot~|dientot~|entotin|ngewe|kontol(?:nya|mu|ku)?|memek(?:nya|mu|ku)?|toket(?:nya|mu|ku)?|colmek|(?:lagi|jadi|bikin|makin) sange',
    'crot (?:di )?dalam|putingnya|(?:penis|vagina)(?:nya|mu|ku)|bersetubuh|sepong(?:in|an)',
  ],
  topics: ['seks (?:oral|anal)|oral seks|(?:ber)?hubungan (?:seks|intim|badan)|bokep|ngeseks|cerita dewasa'],
};

const HI: ExplicitWords = {
  spaced: true,
  words: [
    'चोद~|चुद~|लंड~|लण्ड~|चूत(?!ि)~|लौड़~|मुठ मार~|हस्तमैथुन~|मुखमैथुन~|गुदामैथुन~|निप्पल~|संभोग~|गांड मार(?:ी|ना|ने|ूं)~',
    'chudai|chodna|chodo|chod (?:do|diya|raha|rahi|de)|chudwa~|(?:mera|uska|tera|apna) lund|(?:meri|uski|teri|apni) chut|lund (?:chus|choos)~',
  ],
  topics: [
    'सेक्स (?:कर|चाह)~|यौन संबंध बना~|पोर्न~|अश्लील (?:फिल्म|वीडियो)~|कामुक कहानी~|sex (?:karna|karte|karo|karenge|kiya)',
  ],
};

const JA: ExplicitWords = {
  spaced: false,
  words: [
    'フェラチオ|フェラ(?:して|され|を|抜き|する)|手コキ|パイズリ|中出し|顔射|射精|ザーメン|精液|勃起|[ちチ]ン[ポコ]|ち[んン][ぽこポコ](?!つ)|(?<![ァ-ヴー])(?:まんこ|マンコ)(?![ァ-ヴ])',
    'クリトリス|乳首|オナニー|肉棒|巨根|膣(?:内|奥|に|の奥)|イかせ[てる]|イっちゃう|イッちゃう|性奴隷|肉便器|淫乱|アナルセックス|喘ぎながら腰',
  ],
  topics: [
    'セックス(?!レス|アピール|カウンセ)|性行為|性交(?!渉)|ポルノ(?!グラフィティ)|エロ(?:小説|漫画|ゲ|チャ|い会話|ロール)|av女優|エッチ(?:しよ|した|する|な(?:こと|会話))',
  ],
};

const ZH: ExplicitWords = {
  spaced: false,
  words: [
    '性交|口交|肛交|乳交|颜射|内射|射精|精液|阴茎|陰莖|阴蒂|陰蒂|龟头|肉棒|鸡巴|雞巴|[骚淫蜜小]穴|淫水|性高潮|自慰(?!的)|手淫|乳头|乳頭|奶子|勃起',
    '(?<![体早情节曹])操(?:我|她|他)|[干插]她的[穴逼]|性奴|约炮|約炮|打炮|裸聊|吃鸡巴|舔(?:穴|逼|阴)',
  ],
  topics: ['做爱|做愛|性爱(?!好)|性愛(?!好)|色情|黄片|情色|av女优|成人(?:片|小说|小說)|黄色小说'],
};

export const EXPLICIT_WORDS: readonly ExplicitWords[] = [EN, DE, FR, ES, PT, IT, RU, PL, ID, HI, JA, ZH];

/** Says, before a topic or after it in the same sentence, that there is none of it. */
export const NONE_OF_IT = {
  before:
    "no|not|non|never|without|zero|anti|don't|doesn't|won't|isn't|cannot|can't|kein~|nicht|ohne|nie|niemals|pas|sans|aucun~|jamais|ni|sin|nunca|nada de|ningun~|nem|sem|nao|nessun~|senza|mai|niente|не|без|нет|никак~|nie|bez|zadn~|nigdy|brak|zakaz~|tidak|tanpa|bukan|jangan|dilarang|बिना|मत|कोई",
  beforeUnspaced: '无|無|不|没有|沒有|禁止|非|拒绝|勿',
  after:
    'not|forbidden|prohibited|banned|free|verboten|nicht|tabu|interdit~|prohibid[oa]s?|proibid[oa]s?|vietat[oa]|запрещ~|нет|zabronion~|dilarang|नहीं|मना|निषिद्ध|nahi',
  afterUnspaced: '(?:は|も|の)?(?:なし|無し|禁止|ng|しない|ありません|ない|お断り)|禁止|不行|除外',
} as const;
