import type { MoreWords } from './minors-patterns.ts';
import { FURTHER, namedAge } from './minors-more-parts.ts';

const JA_MORE: MoreWords = {
  harmless: [
    '(?:小学校|中学校|高校|[一二三四五六]年生|保育園|幼稚園)(?:の|を)?(?:先生|教師|教え|教諭|保育士)[ぁ-ん]*',
    '子(?:供|ども)が(?:一人|二人|三人|[1-9]人)(?:い[るて])?',
    '18歳未満(?:は|の方|の方は)?(?:閲覧|利用|お断り|禁止|不可)[^。]{0,8}',
  ],
  loose: ['(?:息子|娘|弟|妹|子(?:供|ども))(?:は|が|も)?まだ(?:18歳|十八歳|成人)'],
  strong: [
    'まだ(?:18歳|十八歳|18|十八|成人)(?:では|じゃ|に(?:は)?)?(?:ない|なって(?:い)?ない|満たない|なりません|ありません)|(?:18|十八)歳(?:に(?:は)?(?:なら|なって(?:い)?)ない|未満|に満たない|になるまで)',
    '(?:成人|法定年齢|同意年齢)(?:に(?:達|な)|では|して)[^。]{0,4}(?:ない|ません)|成人前',
    '(?:小|中|高)[一二三1-6](?:の|だ|で|に|です|[。、]|$)|(?:小学|中学|高校)[一二三四五六1-6]年|[一二三四五六1-6]年[一二三1-9]組',
    '(?:中学|小学校|小学|高校)(?:に|へ)?(?:入って|入学して|通って|通う|在学)',
    'N(?:歳|才)?の(?:少年|少女|子|男の子|女の子|娘|生徒)|まだN(?![年月日分時人個回度本つ])(?=で|だ|の|、|。)|N(?:歳|才)半',
    '(?:^|[。！？!?\\n「])[^、。\\s]{1,8}、N(?:歳|才)?(?=[。、]|$)',
  ],
  weak: [],
  act: [
    '(?:中|ナカ|なか|顔|口|胸|お腹)に(?:出し|射精|注[いぎ]|放[つっ])[ぁ-ん]*|中出し|射精|ぶっかけ|イラマ|手コキ|手淫|パイズリ|クンニ|潮吹|アナル|愛液|精液|処女を',
    '(?:彼女|彼|私|僕|俺|君)(?:を|が|は)?(?:抱い|犯し|犯さ|ヤっ|ハメ|イかせ|いかせ|イカせ|突き上げ|貫[いか])(?:た|て|れ|る)|後ろから突[いか]|腰を(?:振[りっ]|打ち付け)|ヤ(?:った|りたい|ろう|らせ)|ハメ(?:る|た|撮り)',
    '(?:体|身体|肌)を(?:重ね|許し|求め合)|一夜を共に|肉棒|肉壺|秘部|割れ目|恥部|陰[茎部核毛]|クリトリス|勃起|胸を(?:揉|吸)[ぁ-ん]*|乳房|尻を揉|股を(?:開|広げ)|脚の間を(?:舐|触)',
    '(?:舐め|しゃぶ|咥え|くわえ)(?:る|た|て|させ)(?=.{0,6}(?:乳|股|性|肉|チン|ちん|アソコ|あそこ))|(?:乳首|股間|アソコ|あそこ|性器|肉棒|チンポ)(?:を|に)?(?:舐|しゃぶ|咥|触|弄|いじ)|アソコ|チンポ|マンコ|まんこ',
    '(?:下着|パンツ|パンティ|ブラ|スカート)(?:の中に手|を(?:脱が|下ろ|ずら|剥))|(?:裸|エッチ|えっち|いやらし[いく])(?:の|な)?(?:写真|画像|自撮り)|関係を持[っち]',
  ],
  topic: [],
  couple: [
    '(?:私たち|僕たち|俺たち|僕ら|夫婦|夫と(?:私|僕)?|妻と(?:私|僕|は)?|彼氏と|彼女と|主人と|旦那と)(?:で|は|が|も)?(?:今も|まだ|久しぶりに|夜|よく)?(?:セックス|愛し合|エッチ)',
  ],
  aside: [
    '(?:生徒|子供|子ども|小学生|中学生|高校生|未成年|園児)(?:たち|達)?(?:を|に)(?:教え|守|助け|指導|見守|世話)[ぁ-ん]*|(?:小学生|中学生|高校生|女子高生|少年少女|未成年者)たち|(?:中学|高校|小学校|幼稚園)で(?:教え|働)',
  ],
};

const ZH_MORE: MoreWords = {
  harmless: [
    '(?:教|教授|任教|带)(?:了)?(?:小学|初中|高中|[一二三四五六七八九]年级)[^。]{0,6}(?=[。,，、]|$)|(?:小学|初中|高中|幼儿园|中学)(?:的)?(?:老师|教师|班主任|校长)',
    '(?:未满|不满)(?:18|十八)(?:岁|周岁)?(?:者|人士)?(?:请|勿|禁止|不得|不要|不可)[^。]{0,8}',
    '进入(?:她|他|我)的(?:房间|家|生活|世界|梦|视线|脑海|心|办公室|公司|队)|干了(?:她|他)的(?:活|工作)|上了(?:她|他|我)的',
  ],
  loose: ['(?:儿子|女儿|弟弟|妹妹|孩子)(?:们)?(?:还)?(?:没有?|未|不)(?:满|到)(?:18|十八)'],
  strong: [
    '(?:还)?(?:没有?|未|不|还差[^。]{0,4})(?:满|到)(?:18|十八|十[三四五六七])(?:岁|周岁)?|(?:明年|后年|下个月|要到[^。]{1,4}|[一二三四1-9]月)(?:就|才)?满(?:18|十八)|离(?:18|十八)岁还|(?:没|未|不)(?:有)?成年|不到(?:法定|合法)年龄|低于同意年龄',
    '(?:小学|初中|高中)?[一二三四五六七八九]年级(?:的)?(?:学生|女生|男生|女孩|男孩|[一二三四五六七八九]班)?|(?:在读|读|上|念|升|刚升)(?:初|高)[一二三]|(?:初|高)[一二三](?:女生|男生|学生|的女|的男)',
    'N(?:岁|歲)?的?(?:男孩|女孩|小孩|孩子|少年|少女|男生|女生)|才N岁|只有(?:1[0-7]|十[一二三四五六七])岁|N岁半',
    '上(?:初中|小学|高中|中学)的?第?[一二三]?年?',
  ],
  weak: [],
  act: [
    '(?:干|操|肏|日|艹)(?:了|着|过|死|翻|哭)?(?:她|他|我|你)(?![的]|们的)|上了(?:她|他|我)(?=[。.!！,，]|$)|进入(?:了)?(?:她|他|我)(?:的)?(?:身体|体内|下面|里面)?(?=[。.!！,，]|$)|(?:占有|要)(?:了)?(?:她|他)(?=[。.!！,，的]|$)(?!的)',
    '(?:射|泄|发射)(?:了|在|进|到|满)(?:了)?(?:她|他|我|里面|嘴|脸|体|一)?|内射|颜射|口爆|中出|潮吹|高潮|勃起|硬了起来的?(?:下|阳)|阳具|肉穴|小穴|蜜穴|骚|屄|逼里|奶子|乳房|胸部被|龟头|精液|淫水|爱液|打飞机|撸管|口活|深喉|后入|骑乘|69式',
    '(?:舔|吸|含|摸|揉|亲吻?)(?:着|了|她|他|我|的)*(?:两腿(?:之)?间|下面|私|胸|乳|奶|阴|鸡|肉|下身|大腿根)|(?:用嘴|吹箫|口)(?:帮他|给他)(?=[。,，!]|$)|吹箫|吃(?:他的)?鸡巴',
    '(?:手|手指)(?:伸|探|插|滑)(?:进|入|到)(?:了)?(?:她|他|我)?的?(?:内裤|内衣|胸罩|裙子?(?:里|下)|下面|两腿)|(?:张|分)开(?:了)?(?:她|双|两)?(?:的)?(?:双|大)?腿',
    '(?:夺|失|破)(?:走|去|了)?(?:了)?(?:她|他)?的?(?:贞操|处女|童贞|第一次)|(?:裸|艳|私密|性感)(?:的)?照|发生(?:了)?(?:性)?关系|身子给了|翻云覆雨|床上缠绵|睡了(?:她|他)|约炮|来了?一(?:发|炮)',
  ],
  topic: [],
  couple: [
    '(?:我们|咱们|咱俩|我俩|我(?:和|跟|与)?(?:老公|老婆|丈夫|妻子|男友|女友|爱人|先生|太太)|(?:她|他)(?:和|跟|与)(?:丈夫|妻子|老公|老婆|男友|女友|男朋友|女朋友)|夫妻俩?|夫妇)(?![^。]{0,8}(?:和|跟|与)(?:孩子|女儿|儿子|他们|她|他))(?:还|仍然|仍|也|就|便|常|偶尔|很少|终于|又|再|今晚|晚上|偷偷){0,3}(?:做爱|上床|性生活|亲热)',
  ],
  aside: [
    '(?:教|保护|帮助|照顾|辅导|营救|训练)[^。,，]{0,6}(?:孩子|学生|小学生|初中生|高中生|未成年人?|儿童)(?:们)?|(?:小学生|初中生|高中生|未成年人|中学生)们',
  ],
};

const HI_ON = FURTHER('और|फिर|तक');
const HI_PAIR =
  '(?:हम(?:ने|दोनों)?|(?:मैं|मैंने) और (?:मेरे|मेरी) (?:पति|पत्नी|प्रेमी|प्रेमिका)(?: ने)?|(?:मेरे|मेरी) (?:पति|पत्नी) और (?:मैं|मैंने)|(?:पति|पत्नी) (?:के साथ|से))';

const HI_MORE: MoreWords = {
  harmless: [
    '(?:कक्षा|क्लास|स्कूल)(?: [ऀ-ॿ]+){0,2} (?:पढ़ात[ीाे]|शिक्षक|शिक्षिका|अध्यापक|अध्यापिका|टीचर)|(?:शिक्षक|शिक्षिका|अध्यापिका)',
  ],
  loose: [
    '(?:beti|beta|bete|bhai|behen|bahan|bachch?[aei]) (?:[a-z]+ ){0,3}N (?:saal|sal|baras) (?:ki|ka|ke)?|N (?:saal|sal) (?:ki|ka|ke) (?:beti|beta|bhai|behen)',
    '(?:बेट[ाीे]|भाई|बहन|बच्च[ाीे])(?: [ऀ-ॿ]+){0,4} (?:18|अठारह)(?: [ऀ-ॿ]+){0,3} नहीं',
  ],
  strong: [
    'N (?:saal|sal|baras|varsh) (?:ki|ka|ke)|(?:umar|umr|aayu)(?: [a-z]+)? (?:sirf |bas |abhi |hai )?(?:N|gyarah|barah|terah|chaudah|pandrah|solah|satrah)(?= |$)|(?:gyarah|barah|baarah|terah|tera|chaudah|chauda|pandrah|pandra|solah|sola|satrah|satra) (?:saal|sal|baras) (?:ki|ka|ke|hai)',
    'nabali[gk]|naabali[gk]|(?:chhoti|choti) bachch?i|(?:school|skool) (?:jaati|jati|jaata|jata|me padhti|mein padhti|mein padhta)|(?:class|kaksha) (?:[3-9]|1[01]|[a-z]+vi) (?:me|mein|ki|ka)|(?:paanchvi|panchvi|chhathi|saatvi|satvi|aathvi|athvi|nauvi|dasvi|gyarahvi) (?:class|kaksha|me|mein|ki|ka)',
    '(?:अभी )?(?:18|अठारह) (?:साल )?(?:की|का|के) (?:भी )?(?:नहीं|न) (?:हुई|हुआ|हुए|है|हैं|हूँ)|(?:में ही|में|बाद|अगले साल) (?:18|अठारह) (?:साल )?(?:की|का) (?:होगी|होगा|हो जाएगी|हो जाएगा)|(?:अभी )?(?:बालिग|वयस्क) नहीं',
    'N (?:का|की) (?:भी )?(?:नहीं|न) (?:है|हुआ|हुई)',
    '(?:पांचवीं|पाँचवीं|छठी|सातवीं|आठवीं|नौवीं|नवीं|दसवीं|ग्यारहवीं|[5-9]वीं|1[01]वीं)(?: (?:कक्षा|क्लास))?(?: (?:में|की|का|पास))',
    'N (?:साल|वर्ष) (?:की|का|के) (?:लड़क[ीाे]|बच्च[ीाे]|छात्र[ा]?|किशोर[ी]?)|उम्र ?:? ?साढ़े N|साढ़े N (?:साल|वर्ष)',
    namedAge('हाँ|नहीं|तो|लगभग|कमरा|पन्ना|अध्याय|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार'),
  ],
  weak: [],
  act: [
    'cho(?:da|dna|dne|dta|dte|dti|denge|dunga|dega)|chud(?:ai|wa[a-z]*|ti|i)|(?:choot|chut|chooth) (?:maar|mar|chaat|chat|me|mein)[a-z]*|(?:lund|lauda|loda) (?:ko|se|mein|me|daal|dal|chus|choos)[a-z]*|gaand (?:maar|mar)[a-z]*|bhosd[a-z]*|(?:sex|sambhog|masturbate) (?:kiya|kiye|karna|karte|karti|karta|karenge)|nang[ai]|hastmaithun|humbistar|sharirik sambandh',
    '(?:kapde|kapade|panty|bra|chaddi) (?:utaar|utar|nikaal|nikal)[a-z]*|boobs? (?:daba|chus|choos)[a-z]*',
    `(?:चूत|बुर|लंड|लण्ड|गांड|गाँड|भोसड़)~|चुद(?:ाई|ी|ती|वा~)|चोद~|झड़ (?:गय[ाी]|गए)|(?:अंदर|मुँह में|मुंह में) झड़~|वीर्य~|स्खलन~`,
    `(?:उसके|मेरे|उसकी) (?:अंदर|भीतर) (?:घुस[ाे]?|डाल[ाे]?|डाला)${HI_ON}|(?:मुँह|मुंह) में (?:लिया|लेती|लेकर|डाला)${HI_ON}|(?:टाँगों|टांगों|जांघों|जाँघों) के बीच (?:चाट|छू|सहला|हाथ)~`,
    '(?:स्तन|स्तनों|छाती|चूचि~|निप्पल) (?:दबा|चूस|सहला|मसल)~|(?:पैंटी|चड्डी|ब्रा|स्कर्ट) (?:में हाथ|उतार|खोल)~|लिंग (?:खड़ा|चूस~)|(?:नंग[ीाे]|नग्न|अश्लील) (?:तस्वीर|फोटो|फ़ोटो|वीडियो)~',
    'हमबिस्तर|भोगा|कौमार्य~|(?:बदन|जिस्म) (?:सहला|चूम|चाट)~',
  ],
  topic: ['chudai|kaamuk|hawas|vasna'],
  couple: [
    `${HI_PAIR} (?:[ऀ-ॿ]+ ){0,3}(?:सेक्स|संभोग|प्यार) (?:किया|करते|करेंगे|करें|की)|(?:मैं|वह) और (?:मेरी|मेरे|उसका|उसकी) (?:पति|पत्नी|प्रेमी) (?:[ऀ-ॿ]+ ){0,3}सेक्स कर~`,
  ],
  aside: [
    'N (?:साल|वर्ष)(?= (?!(?:की|का|के|है|हैं|हूँ|हूं)(?:[\\s,।]|$)))|(?:जेल|सेना|शहर|गाँव|युद्ध|नौकरी)(?: [ऀ-ॿ]+){0,3} N (?:साल|वर्ष)',
    '(?:बच्चों|छात्रों|नाबालिगों|किशोरों)(?: [ऀ-ॿ]+){0,3} (?:पढ़ात|बचात|मदद|रक्षा)~',
  ],
};

const ID_ON = FURTHER('dan|sampai|hingga|dengan|pelan|keras|lagi|dari belakang|malam');
const ID_SPOUSE = '(?:suami|istri|pacar|kekasih|pasangan|tunangan)';
const ID_PAIR = `(?:kami|kita|${ID_SPOUSE}ku dan (?:aku|saya)|(?:aku|saya|dia) dan ${ID_SPOUSE}(?:ku|nya)|dengan ${ID_SPOUSE}(?:ku|nya))`;

const ID_MORE: MoreWords = {
  harmless: [
    '(?:mengajar|guru|wali kelas)(?: [a-z]+){0,2} (?:kelas [a-z0-9]+|sd|smp|sma|smk|tk)(?: (?:sd|smp|sma))?',
    '(?:jika|kalau|bagi yang|siapa pun) [^.!?\\n]{0,25}(?:18|delapan belas|di bawah umur)',
    'memasuki (?:gua|rumah|kamar|hutan|kota|desa|ruang|sekolah|dunia|masa|usia|tahun|bulan)[a-z]*',
  ],
  loose: [
    '(?:anak|putra|putri|adik|keponakan|cucu)(?:ku|nya)?(?: [a-z]+){0,3} (?:belum|baru) (?:genap |berumur |berusia )?(?:18|delapan belas)',
    'sejak (?:kelas [a-z0-9]+|sd|smp|sma)',
  ],
  strong: [
    'belum (?:genap |berumur |berusia |sampai |cukup )?(?:18|delapan belas|umur|N)(?: tahun)?(?! (?:jam|menit|hari|bulan|minggu))|(?:baru|tahun depan|bulan depan|nanti|sebentar lagi) (?:genap |berumur |berusia )?(?:18|delapan belas)(?= (?:bulan|tahun depan|nanti|januari|februari|maret|april|mei|juni|juli|agustus|september|oktober|november|desember)|[.,]|$)',
    'belum (?:dewasa|cukup umur|legal)|di bawah (?:usia|umur) (?:legal|dewasa|18)',
    'kelas (?:[4-9]|1[01]|empat|lima|enam|tujuh|delapan|sembilan|sepuluh|sebelas)(?= ?[.,;!)]| (?:sd|smp|sma|yang|di)|$)|kelas (?:satu|dua|tiga|[1-3]) (?:sd|smp|sma|smk)|(?:ke|di|masuk) kelas (?:tujuh|delapan|sembilan|enam|lima|[5-9])|tahun pertama[a-z]* di (?:smp|sma|sd)',
    '(?:gadis|bocah|anak|remaja|cewek|cowok|lelaki|perempuan) (?:lelaki |perempuan |laki laki )?(?:umur |usia )?N(?: tahun)?(?! orang)|(?:baru|masih) T(?= ?[.,;]| tahun|$)',
    'haid pertama',
    namedAge(
      'di|pada|sekitar|mungkin|ya|tidak|nah|jadi|kamar|halaman|bab|nomor|tingkat|hanya|lalu|sekarang|oh|ah|atau|dan|senin|selasa|rabu|kamis|jumat|sabtu|minggu|januari|februari|maret|april|mei|juni|juli|agustus|september|oktober|november|desember',
    ),
  ],
  weak: [],
  act: [
    '(?:di|me|meng|ng|nge|men|mengen)?(?:g?entot)~|(?:di|me|nge)?(?:sodok|genjot|ewe|jilmek|sepong|colmek|coli)[a-z]*|ngeseks?|ngewe|crot|sange',
    `memasuki(?:nya|ku)${ID_ON}|memasuki tubuh[a-z]*|(?:masuk|memasukkan|menusuk|menghujam)[a-z]* (?:[a-z]+ ){0,3}(?:ke dalam (?:tubuh|dirinya|memek|vagina)|memek|liang)[a-z]*|menggauli[a-z]*|digauli|menyetubuh[a-z]*|disetubuhi`,
    '(?:menjilat|mengulum|mengisap|menghisap|meremas|mencium|meraba|membelai|mengelus)[a-z]* (?:[a-z]+ ){0,2}(?:selangkangan|payudara|dada telanjang|puting|kemaluan|kontol|memek|miliknya|paha dalam|bokong|ereksi|tubuh telanjang)[a-z]*|selangkangan[a-z]*|payudara[a-z]*|toket|ereksi[a-z]*',
    '(?:keluar|muncrat|ejakulasi|klimaks)[a-z]* (?:di dalam(?:nya| tubuhnya| memek)|di (?:mulut|wajah)nya)|ejakulasi|sperma|air mani|klimaks bersama',
    `tangan[a-z]* (?:[a-z]+ ){0,2}ke (?:dalam )?(?:celana dalam|balik rok|balik bra|selangkangan)[a-z]*|(?:melepas|membuka|menarik|menurunkan)[a-z]* (?:celana dalam|bra|beha|kutang)[a-z]*|ke celana dalam[a-z]*|(?:membuka|melebarkan) (?:kaki|paha)nya (?:untuk|bagi)`,
    '(?:merenggut|mengambil|kehilangan) (?:keperawanan|keperjakaan|kegadisan)[a-z]*|menyerahkan (?:tubuh|diri|keperawanan)nya(?= (?:pada|kepada)|[.,]|$)|(?:foto|video) (?:bugil|telanjang|seksi|syur)|tubuhnya diraba|seks oral|dari belakang sambil',
  ],
  topic: [],
  couple: [
    `${ID_PAIR} (?:[a-z]+ ){0,2}(?:bercinta|berhubungan (?:seks|intim|badan))(?! dengan (?!${ID_SPOUSE}))`,
    `(?:bercinta|berhubungan (?:seks|intim)) dengan ${ID_SPOUSE}(?:ku|nya)`,
  ],
  aside: [
    '(?:bekerja|tinggal|hidup|mengabdi|belajar|menikah|menghabiskan|berlatih|dipenjara|mengajar|menunggu|memerintah|berkelana|bertugas|berperang)[a-z]*\\s(?:(?!(?:dan|berusia|berumur|umur|usia|gadis|anak)\\s)[a-z]+\\s){0,2}N tahun',
    '(?<!(?:umur|usia|berumur|berusia|gadis|anak|bocah|baru|masih) )N tahun(?= (?:sebagai|bersama|tanpa|terakhir|perang)(?![a-z]))',
    '(?:mengajar|melindungi|membantu|membimbing|menolong|merawat)(?: [a-z]+){0,2} (?:anak|siswi|siswa|murid|remaja)[a-z]*|(?:para|anak anak|murid murid|siswa siswi) (?:siswa|siswi|murid|remaja|sd|smp|sma)',
  ],
};

/** In the order of the lists that they go on with. */
export const ASIAN_MORE: readonly MoreWords[] = [JA_MORE, ZH_MORE, HI_MORE, ID_MORE];
