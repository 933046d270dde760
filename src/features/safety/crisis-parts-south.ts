import type { CrisisParts } from './crisis-parts.ts';

const रिश्ता =
  '((अपने|अपनी|मेरे|मेरी|एक|apne|apni|mere|meri) (पूर्व |छोटे |बड़े )?(पिता|पापा|बाप|माँ|मां|मम्मी|भाई|बहन|एक्स|पत्नी|बीवी|पति|बॉयफ्रेंड|गर्लफ्रेंड|बॉस|सहकर्मी|सहकर्मियों|पड़ोसी|पड़ोसियों|टीचर|शिक्षक|अध्यापक|सहपाठी|सहपाठियों|क्लासमेट|रूममेट|बेटे|बेटी|बच्चे|बच्चों|परिवार|चाचा|दादा|सास|ससुर|सौतेले|मकान मालिक|papa|baap|maa|mummy|bhai|behen|bahan|ex|biwi|patni|pati|boss|padosi|teacher|classmates?|bete|beti|bacche|parivar|saas|sasur)|(स्कूल|क्लास|ऑफिस|कॉलेज|school|class|office) .. (सबको|बच्चों|लोगों|सब को|sabko|logo))';

export const HINDI_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(चिट्ठ*|खत|ख़त|पत्र|वसीयत|अलविदा|पासवर्ड|नोट|chitthi*|khat|alvida|letter*|note)',
    '(बाँट|बांट|दे) (दी|दिए|दिया|रहा|रही)',
    '(ख्याल|ख़्याल|khayal) .. (रखना|रखोगे|रखोगी|rakhna)',
  ],
  afterMe: [
    '(मरने|मौत|जाने|मर जाने|marne|maut) (के |से |ke )(बाद|पहले|baad|pehle)',
    '(जब|अगर|jab|agar) (मैं|main|mai) .. (नहीं रहूँ*|नहीं रहूं*|न रहूँ|न रहूं|मर जा*|चला जा*|चली जा*|nahi rahu*|mar ja*|na rahu)',
    '(हमेशा के लिए) (जा*|अलविदा)',
    '(आखिरी|आख़िरी|aakhri|akhri) (चिट्ठ*|खत|ख़त|अलविदा|chitthi*|khat)',
  ],
  better: ['(बेहतर|आसान|खुश|सुकून|राहत|चैन|अच्छा|भला|behtar|aasan|khush|sukoon|accha|acha|better|chain)'],
  withoutMe: [
    '(मेरे|mere) (बिना|बगैर|bina|bagair)',
    '(अगर|जब|agar|jab) (मैं|main|mai) .. (न (होता|होती|रहूँ|रहूं|होऊँ)|नहीं (होता|होती|रहूँ*|रहूं*)|मर (जाऊँ|जाऊं|जाता|जाती)|गायब|पैदा|nahi (hota|hoti|rahu*)|na (hota|hoti|rahu)|mar ja*)',
    '(मेरे|mere) (न|ना|नहीं|na) (होने|रहने|hone) (से|पर|se)',
    '(मेरे|mere) (मरने|जाने|marne|jane) (से|के बाद|se|ke baad)',
  ],
  noReason: [
    '(कोई|एक भी|koi) (वजह|कारण|मतलब|उम्मीद|मकसद|मक़सद|फायदा|wajah|matlab|umeed|maqsad|reason|point)',
    '(क्यों|किसलिए|किस लिए|क्या मतलब|क्या फायदा|kyu|kyun|kyon|kya matlab|kya fayda)',
    '(हिम्मत|ताकत|ताक़त|इच्छा|himmat|taqat) (नहीं|खत्म|ख़त्म|nahi)',
  ],
  goOn: [
    '(जीने|जीऊँ|जीऊं|जीना|जिऊँ|जिऊं|जिंदा|ज़िंदा|जीता|जीती|जी (रहा|रही)|उठने|उठूँ|jeene|jine|jina|jeena|jeeu|jiu|zinda|jinda|jee raha|ji rahi)(?! (के लिए चाय|तुम्हारे))',
    '(आगे बढ़ने|रोक*|सांस लेने|साँस लेने) (की|का|के|ki|ka)?',
  ],
  means: [
    '(गोलियाँ|गोलियां|गोली|दवा|दवाइयाँ|दवाइयां|दवाई|ज़हर|जहर|goliyan|goli|dawai*|davai|zehar|zeher|pills)',
    '(रस्सी|फंदा|फंदे|दुपट्टा|पंखे|rassi|fanda|phanda)',
    '(पुल|छत|बालकनी|पटरी|ट्रेन|मेट्रो|खिड़की|मंज़िल|मंजिल|नदी|pul|chhat|chat|patri|train|metro)',
    '(ब्लेड|चाकू|बंदूक|blade|chaku|bandook)',
  ],
  useUp: [
    '(जमा|इकट्ठ*|बचाकर|गिन*|jama|ikatth*|ginn*) .. (काफी|ली|लीं|रखी|कर|kar|li|rakhi)',
    '(काफी|काफ़ी|kaafi|kafi) .. (मरने|न उठने|सोने|marne)',
    '(गले|गर्दन|gale) (में|पर|me|mein)',
    '(कूद*|छलांग|कूदने|kood*|kud*|गिर जाऊँ|एक कदम|लेट जा*)(?! (तालाब|पूल))',
    '(सब|सारी|सारे|सब की सब|sab|saari|sari) (एक साथ |ek saath )?(खा|निगल|kha|nigal)',
    '(सब|sab) (कुछ )?(खत्म|ख़त्म|khatam|khatm)',
    '(कभी|kabhi) (न|ना|नहीं|na|nahi) (उठ*|जाग*|uth*|jaag*)',
  ],
  story: [
    '(हम|हमने|उसने|वह|वो|राजा|रानी|योद्धा|ड्रैगन|राक्षस|पिशाच|पहरेदार|घोड़*|महल|जहाज*|समुद्री|फिल्म|फ़िल्म|उपन्यास|गेम|अध्याय|पात्र|कॉफी|पिज़्ज़ा|अलार्म|पौधे|फोन|फ़ोन|मज़ा|मजा|hum|usne|woh|wo|raja|rani|film|game|maza|alarm|phone)',
  ],
  wish: ['(काश|चाहत*|चाहता|दुआ|उम्मीद|प्रार्थना|मन करता|मन है|kash|kaash|chaht*|dua|man karta)'],
  mishap: [
    '(ट्रक|गाड़ी|कार|ट्रेन|बस|बिजली|कोई|भगवान|गोली|truck|gaadi|gadi|car|train|bus|bhagwan|koi) .. (कुचल*|मार*|टक्कर|उड़ा*|उठा ले*|गिर*|बुला*|kuchal*|maar*|takkar|utha le*|uda)',
    '(कैंसर|दिल का दौरा|हार्ट अटैक|जानलेवा|cancer|heart attack)',
    '(धड़कन|दिल) .. रुक*',
    '(कभी|सुबह|kabhi|subah) .. (न|ना|नहीं|na|nahi|hi na) (उठ*|जाग*|खुल*|uth*|jaag*|khul*)',
    '(नींद|सोते|neend) .. (मर*|मौत|mar*)',
  ],
  dying: [
    '(मरना|मरने|मौत|आत्महत्या|खुदकुशी|ख़ुदकुशी|मर जाना|मर जाऊँ|मर जाऊं|मृत्यु|suicide|suicidal|marna|marne|maut|mar jana|mar jau)',
  ],
  relief: [
    '(ठीक|इजाज़त|इजाजत|गलत नहीं|thik|theek) .. (मर*|mar*)',
    '(मौत|मरना|मरने|आत्महत्या|मर जाना|maut|marna|marne|suicide) .. (राहत|सुकून|शांति|रास्ता|हल|उपाय|आज़ादी|छुटकारा|बेहतर|चैन|दोस्त|rahat|sukoon|shanti|rasta|hal|behtar|chain)',
    '(एक ही|एकमात्र|आखिरी|ek hi|akhri) (रास्ता|उपाय|हल|rasta) .. (मौत|मरना|आत्महत्या|maut|marna)',
    '(इंतज़ार|इंतजार|चाहत|intezar|intezaar) .. (मौत|मरने|maut)',
    '(मौत|maut) .. (इंतज़ार|इंतजार|intezar|intezaar)',
    '(मरने|मौत|आत्महत्या|marne|maut|suicide) .. (ख्याल|ख़्याल|खयाल|सोच*|विचार|khayal|soch*|khyal|feel)',
    '(सोच*|ख्याल) .. (मरने|मौत|आत्महत्या)',
    'suicidal (feel|lag|hu|hoon|ho)',
    '(आत्महत्या|मरने|खुदकुशी) .. (दिन|तारीख|तारीख़|जगह|तरीका|तरीक़ा) .. (चुन*|तय|सोच*)',
  ],
  gone: [
    '(अब |और |ab |aur )*(यहाँ|यहां|इस दुनिया में|दुनिया में|is duniya me|is duniya mein|duniya me) (और )?(नहीं|nahi) (रहना|होना|rehna|rahna)(?! (चाहिए|chahiye))',
    '(इस )?(दुनिया|duniya) (को )?(छोड़*|से (जा|चल*|विदा)|chhod*|chod*|se (ja|chala))',
    '(जीना|jeena|jina|जिंदा रहना|ज़िंदा रहना|zinda rehna|अस्तित्व) (ही |hi )?(नहीं|nahi) (चाहत*|chaht*|है|hai)',
    '(हमेशा के लिए|hamesha ke liye) (सो|गायब|चला|चली|खत्म|ख़त्म|मिट|so|gayab|chala|chali) (जाना|जाऊँ|जाऊं|हो|jana|jau)',
    '(मैं|main|mai) .. (अगले|कल|इस|जन्मदिन|दिवाली|नए साल|agle|diwali|birthday|kal) .. (तक )?(नहीं रहूँ*|नहीं रहूं*|नहीं बचूँ*|ज़िंदा नहीं|जिंदा नहीं|nahi rahu*|nahi bachu*|zinda nahi)',
    '(मेरी|मेरा|meri|mera) (आखिरी|आख़िरी|aakhri|akhri) (रात|दिवाली|जन्मदिन|दिन|मैसेज|raat|diwali|birthday|din|message)(?! (स्कूल|ऑफिस|छुट्टी))',
    '(पैदा ही|पैदा) (नहीं|न) (होना|होता|होती) .. (चाहिए|काश)?',
    '(सब कुछ|सब|sab kuch|sab) (खत्म|ख़त्म|khatam|khatm) (कर (दूँ*|दूं*|देना|लूँ*)|kar (du*|dena|lu*))',
    '(खुद को|अपने आप को|khud ko) (खत्म|ख़त्म|मिटा|khatam|khatm) (कर|दे|kar)',
    '(अपनी|apni) (जान|jaan) (दे|ले|de|le)',
  ],
  wound: ['(काट*|खरोंच*|जला*|खोद*|उकेर*|चीर*|नोच*|मार*|लिख*|दाग*|kaat*|kat*|kharonch*|jala*|noch*|cheer*) '],
  flesh: [
    '(हाथ*|बाँह*|बांह*|कलाई*|जाँघ*|जांघ*|पैर*|त्वचा|चमड़ी|पेट|शरीर|नस*|haath*|hath*|kalai*|baazu|jaangh|pair|skin|nas|body)',
  ],
  blade: [
    '(ब्लेड|रेज़र|रेजर|चाकू|कैंची|लाइटर|सिगरेट|काँच|कांच|सुई|blade|razor|chaku|lighter|cigarette|kanch)',
    '(शब्द|नाम|shabd|naam)',
    '(खून|ख़ून|khoon|khun)',
  ],
  because: [
    '(जानबूझकर|जान बूझकर|सज़ा|सजा|लायक|नफरत|नफ़रत|jaanbujhkar|jaan bujh*|saza|nafrat)',
    '(महसूस|राहत|सुकून|शांत|मदद|दर्द|चैन|mehsoos|rahat|sukoon|shant|dard|feel)',
    '(फिर|दोबारा|रोज़|रोज|हर (रात|दिन|बार)|छुपकर|छुपा*|रोक नहीं|किसी को (नहीं )?पता|fir|phir|dobara|roz|har (raat|din)|chhup*|rok nahi|kisi ko)',
    '(जब|jab) .. (उदास|दुखी|अकेल*|बुरा|खाली|udaas|akel*|bura|sad)',
  ],
  hurtMyself: [
    '(खुद को|ख़ुद को|अपने आप को|खुद का|khud ko|apne aap ko) .. (चोट|काट*|नुकसान|नुक़सान|मार*|जला*|सज़ा|सजा|दर्द|तकलीफ़|तकलीफ|भूखा|chot|kaat*|nuksan|maar*|jala*|saza|dard|hurt|cut)',
    '(सिर|sir) .. (दीवार|deewar|diwar)',
    '(self harm|selfharm|सेल्फ हार्म)',
  ],
  marks: [
    '(छुपा*|छिपा*|ढक*|पूरी बाजू|पूरी बाँह|chhupa*|chupa*|dhak*) .. (निशान|घाव|कट|ज़ख्म|जख्म|हाथ|nishan|ghav|cuts)',
    '(निशान|घाव|ज़ख्म|जख्म|nishan|cuts|scars) .. (छुपा*|छिपा*|ढक*|ब्लेड|chhupa*|chupa*|खुद बनाए)',
    '(खुद को|ख़ुद को|अपने आप को|khud ko|apne aap ko) .. (चोट|काटन*|नुकसान|दर्द|सज़ा|सजा|जलान*|chot|kaatn*|katn*|nuksan|dard|hurt|cut) .. (चाहत*|मन|इच्छा|दूँगा|दूंगी|चाहिए|chaht*|man|karne)',
    '(खून|khoon) (देखना|बहाना|dekhna) (चाहत*|chaht*|है)',
    '(ब्लेड|blade) .. (छुपा*|छिपा*|नीचे|कवर|बुला*|chhupa*|chupa*)',
  ],
  accident: [
    '(गलती से|ग़लती से|सब्ज़ी|सब्जी|प्याज|प्याज़|रसोई|खाना (बनाते|पकाते)|शेव|खेल*|तवा|केक|बाल|कागज़|चाय|कॉफी|बिल्ली|कुत्त*|गुलाब|डॉक्टर|टीका|टैटू|ड्रैगन|तलवार|राक्षस|फिसल*|क्रिकेट|जिम|galti se|sabzi|pyaz|kitchen|chai|cricket|billi|baal|gym)',
  ],
  attack: [
    `${रिश्ता} .. (चाकू|छुरा|गोली|ज़हर|जहर|गला|जान से|chaku|goli|zeher|zehar|gala|jaan se) (मार|दे|दबा|घोंट|काट|maar|mar|de|daba|ghot|kaat)[^ .]*( [^ .]+){0,2} (दूँग*|दूंग*|चाहत*|मन|सोच*|लूँग*|लूंग*|वाला|वाली|डर|ख्याल|dung*|chaht*|soch*|man|wala|wali)`,
    `${रिश्ता} .. (चाकू|छुरा|गोली|जान से|chaku|goli|jaan se) (मारू|maaru|maru)[^ .]*`,
    '(स्कूल|ऑफिस|कॉलेज|मस्जिद|चर्च|मंदिर|school|office|college) .. (आग लगा|उड़ा|बम|गोली चला|aag laga|uda|bomb|goli chala)[^ .]* .. (दूँग*|दूंग*|चाहत*|dung*|chaht*)',
  ],
  kill: [
    `${रिश्ता} .. (मार दूँ|मार दूं|मार डालू|मारना चाहत|मारूँ|मारूं|खत्म कर दू|ख़त्म कर दू|बदला लू|maar du|mar du|maar dal|maarna chaht|maarung|khatam kar du|badla lu)[^ .]*`,
  ],
  soon: [
    '(आज|कल|रात|अभी|जल्द|परसों|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार|हफ्ते|हफ़्ते|स्कूल के बाद|नींद में|सोते|aaj|kal|raat|abhi|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jald)',
    '(चाकू|बंदूक|पिस्तौल|हथियार|ज़हर|जहर|कुल्हाड़ी|हथौड़ा|पेट्रोल|chaku|bandook|banduk|gun|zeher|zehar|hathiyar)',
    '(योजना|प्लान|ठान|फैसला|फ़ैसला|तय|plan|faisla|soch liya)',
  ],
  play: [
    '(हा ?हा|हाहा*|haha*|lol|xd|hehe*|मज़ाक कर|मजाक कर)',
    '(अगर|agar) ',
    '(गेम|खेल|फिल्म|फ़िल्म|किताब|कहानी|नाटक|उपन्यास|शतरंज|लूडो|रोलप्ले|game|film|movie|kahani|ludo|roleplay)(?! (नहीं|nahi))',
    '(राक्षस|ड्रैगन|राजा|रानी|सिंहासन|राजकुमार*|तलवार|महल|पात्र|जादूगर|पिशाच|केक|पिज़्ज़ा|पिज्जा|गुदगुद*|सरप्राइज़|रिमोट|फोटो|पिचकारी|raja|rani|dragon|talwar)',
    '(नहीं चाहत*|कभी नहीं|nahi chaht*|kabhi nahi)',
  ],
};

const MAU =
  '((aku|gue|gw|saya|gua) )?(ingin|mau|pengen|pingin|akan|bakal|berniat|berencana|memutuskan|kepikiran|harus|siap|lagi mikir|terus mikir|terus memikirkan|bermimpi|rasanya ingin|rasanya mau|bersumpah akan|sumpah mau)( banget| benar benar| beneran| untuk| buat)*';
const DEKAT =
  '((semua |para |seorang )?(ayah|bapak|papa|ibu|mama|ortu|orang tua|kakak|adik|mantan|istri|suami|pacar|bos|atasan|rekan kerja|tetangga|guru|dosen|teman sekelas|teman teman sekelas|teman sekolah|teman sekamar|teman kos|kepala sekolah|anak|bayi|keluarga|paman|bibi|kakek|nenek|mertua)([ -]?(ku|u|q|gue|gw|saya|tiri|tiriku|kandungku|sendiri|matematika|sekolah))*|(semua )?(orang|orang orang|murid|anak anak) di (sekolah|kelas|kantor|kampus|gereja|masjid|tempat kerja)[^ ]*)';

export const INDONESIAN_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(surat*|catatan|wasiat|pesan terakhir|kata sandi|perpisahan|video)',
    '(membagikan|bagiin|bagi bagi|ngasih|memberikan|kasih) .. (barang*|kucing*|anjing*|baju*|semua)',
    '(pamit|pamitan|berpamitan|selamat tinggal)',
    '(jagain|jaga|rawat|menjaga) .. (kucing*|anjing*|ibu*|mama*|adik*)',
  ],
  afterMe: [
    '(kalau|kalo|ketika|saat|setelah|sebelum|begitu|pas|sesudah) (aku|gue|gw|saya) (sudah |udah |nanti )*(mati|meninggal|pergi|gak ada|ga ada|tidak ada|tiada|nggak ada)',
    '(setelah|sebelum) (kematian*|kepergian*|mati|bunuh diri)',
  ],
  better: [
    '(lebih baik|lebih bahagia|lebih mudah|lebih gampang|lega|lebih tenang|lebih ringan|senang|lebih enak|bahagia)',
  ],
  withoutMe: [
    'tanpa (aku|diriku|gue|saya|gw)',
    '(kalau|kalo|jika|andai|seandainya) (aku|gue|gw|saya) .. (gak ada|ga ada|tidak ada|nggak ada|mati|meninggal|hilang|menghilang|tidak pernah lahir|gak pernah lahir|ga lahir|tiada|lenyap)',
    '(aku|gue) (gak|ga|tidak|nggak) ada',
  ],
  noReason: [
    '(gak|ga|tidak|nggak|tak|udah gak|sudah tidak) (ada|punya|lihat|nemu|melihat) (lagi |satu pun |satupun )?(alasan|gunanya|arti|harapan|tujuan|masa depan|tenaga|semangat|makna)',
    '(buat apa|untuk apa|apa gunanya|kenapa (aku )?(harus|masih)|ngapain)',
    '(kehilangan|hilang) (semua )?(harapan|alasan|semangat)',
    '(gak|ga|tidak|nggak) (tahu|tau|ngerti) (kenapa|buat apa|untuk apa)',
    '(gak|ga|tidak|nggak) ada yang (menahan|nahan)*',
  ],
  goOn: [
    '(hidup|lanjut|melanjutkan|bertahan|bangun|bangun pagi|bernapas|bernafas|ada di dunia|berjuang)( lagi| terus| hidup| ini)*(?! (di (kota|kos|rumah)|bareng|sama kamu|main))',
    '(menahanku|nahan aku) .. (sini|dunia|hidup)',
  ],
  means: [
    '(pil|obat|obat tidur|tablet|racun|insulin|baygon|pil tidur|parasetamol)',
    '(tali|ikat pinggang|gantung*)',
    '(jembatan|atap|balkon|rel|kereta|jendela|gedung|lantai|tebing|peron|rooftop)',
    '(silet|pisau|pistol|cutter|gas|mobil)',
  ],
  useUp: [
    '(ngumpulin|mengumpulkan|kumpulin|nyimpen|menyimpan|simpan|nyetok|ngitung|menghitung) .. (cukup|banyak|obat*|pil|tablet)',
    '(cukup) .. (mati|gak bangun|tidak bangun|tidur selamanya|mengakhiri|buat|untuk)',
    '(di|ke) leher*',
    '(lompat|loncat|melompat|terjun|menjatuhkan diri|jatuhin diri|satu langkah|selangkah|tiduran di rel|menabrakkan)(?! (ke (kolam|air)|tali))',
    '(nelan|menelan|telan|minum|meminum|nenggak) .. (semua*|sekaligus|sebotol|habis*)',
    '(semua*) (sekaligus|sekali)',
    '(semua|semuanya) (akan |bakal |pasti )?(selesai|berakhir|beres)',
    '(gak|ga|tidak|nggak|tak) (akan |perlu |pernah )*(bangun|terbangun)( lagi)?',
    '(ke|di) (pelipis*|kepalaku|mulutku|tenggorokan*)',
  ],
  story: [
    '(kami|kita|dia|ia|mereka|sungai|danau|kolam|laut|penjaga|ksatria*|naga|iblis|vampir|parasut|kuda|kastil|raja|ratu|kapal|bajak laut|film|novel|game|bab|karakter|tokoh*|kopi|pizza|alarm|tanaman*|hp|ponsel|baterai|vitamin|antibiotik)',
  ],
  wish: [
    '(berharap|semoga|andai|andaikan|seandainya|ingin|pengen|mau|doa*|berdoa|coba|pingin|mimpi|bermimpi)',
  ],
  mishap: [
    '(truk|mobil|kereta|bus|petir|seseorang|pesawat|tuhan|peluru|ada yang) .. (nabrak|menabrak|ngelindes|melindas|membunuh|bunuh|nyambar|menyambar|ambil nyawa*|mengambil|mencabut|manggil|tabrak)',
    '(ketabrak|tertabrak|ditabrak|kelindes|tersambar|ditembak|terbunuh)',
    '(kanker|serangan jantung|tumor|penyakit mematikan)',
    '(jantungku|jantung) .. (berhenti|copot)',
    '(gak|ga|tidak|nggak|tak) (akan |perlu |pernah |usah )*(bangun|terbangun)',
    '(mati|meninggal) .. (dalam tidur|pas tidur|kecelakaan|tidur)',
    'kecelakaan .. (mati|tewas|meninggal)',
  ],
  dying: ['(mati|kematian|bunuh diri|meninggal)'],
  relief: [
    '(gak apa apa|tidak apa apa|nggak apa apa|gapapa|boleh|izin|ga papa) .. (mati|pergi|meninggal)',
    '(mati|kematian|bunuh diri) .. (gak apa apa|gapapa|tidak apa apa|lega|damai|tenang|jalan keluar|solusi|kelegaan|bebas|pilihan|lebih baik|satu satunya|istirahat|teman)',
    '(satu satunya|jalan) (jalan|solusi|cara|pilihan|keluar) .. (mati|kematian|bunuh diri)',
    '(menunggu|menanti|nunggu|merindukan|mendambakan) .. (mati|kematian)',
    '(mikir*|memikirkan|kepikiran|pikiran) .. (mati|kematian|bunuh diri)(?! (lampu|gaya))',
    '(mati|kematian|bunuh diri) .. (terus|tiap (hari|malam)|setiap (hari|malam)|sepanjang|selalu)',
    'iri .. (mati|meninggal)',
  ],
  gone: [
    '(gak|ga|tidak|nggak|tak|udah gak|sudah tidak) (mau|ingin|pengen|pingin) (lagi )?(ada|hidup|di sini|berada|bangun|di dunia|bernapas)( di (dunia|sini|bumi))?( ini)?( lagi)? (?!(di (kota|kos|kantor|sekolah|rumah)|pagi|sama|bareng|tanpa|jam|utang))',
    '(aku|gue|saya) .. (gak|ga|tidak|nggak) (akan|bakal) .. (ada|sampai|melihat|lihat|hidup|sempat) .. (besok|minggu depan|tahun baru|ulang tahun*|lebaran|natal|bulan depan|lama lagi|malam ini|pagi)(?! (di (kantor|rumah|sekolah)|karena))',
    '(malam|ulang tahun|lebaran|natal|hari|pesan|senja) terakhir(ku)(?! (di (sekolah|kantor)|liburan))',
    '(kalau|saat|ketika|waktu) (kamu|kalian) .. (baca|membaca|nemu|menemukan) .. (aku) .. (tidak ada|gak ada|mati|pergi|tiada)',
    '(ingin|mau|pengen|pingin|bisa) (cuma |hanya |sekadar |aja )*(tidur|hilang|menghilang|lenyap|pergi|menutup mata|berhenti (bernapas|ada|hidup)) .. (selamanya|selama lamanya|gak bangun|tidak bangun|dunia|bernapas|hidup)',
    '(meninggalkan|ninggalin|tinggalkan|pergi dari) (dunia|hidup) ini',
    '(mikir|memutuskan|berencana|rencana|kepikiran|mempertimbangkan|niat) .. (mengakhiri (semua*|hidup*|segalanya)|akhiri (semua*|hidup*)|menyudahi (semua*|hidup*)|bundir|ngakhirin)',
    '(mengakhiri|akhiri|ngakhirin|menyudahi) (semua|semuanya|semua ini|segalanya|ini semua) (malam ini|hari ini|besok|sekarang|selamanya)',
    '(tidak|gak|ga|nggak) (seharusnya|harusnya|pantas|pantes) .. (lahir|hidup|ada)',
    '(seharusnya|harusnya) .. (tidak|gak|ga) .. (lahir|hidup)',
    '(memilih|milih|menentukan|nentuin) .. (tanggal|hari|tempat|cara) .. (mati|pergi|bunuh diri|akhir)',
  ],
  wound: [
    '(mengiris|iris|ngiris|menyayat|nyayat|sayat|memotong|mengukir|ngukir|ukir|membakar|bakar|mencakar|nyakar|cakar|menggores|ngegores|gores|menggigit|gigit|memukul|mukul|menyundut|nyundut|sundut|menusuk|menoreh|nempelin) ',
  ],
  flesh: ['(tangan*|lengan*|pergelangan*|paha*|kaki*|kulit*|perut*|nadi*|badan*|tubuh*|jari*)'],
  blade: [
    '(silet|cutter|pisau|gunting|korek|rokok|kaca|beling|jarum|jangka|rautan|setrika|pecahan)',
    '(kata|nama|tulisan|huruf)',
    '(darah|berdarah)',
  ],
  because: [
    '(sengaja|menghukum|hukuman|pantas|pantes|benci diri*|benci tubuh*)',
    '(merasa*|ngerasa*|rasa|lega|tenang|menenangkan|bantu|membantu|sakit|bertahan|kontrol|kosong|mati rasa|melampiaskan|pelampiasan)',
    '(lagi|setiap|tiap|kambuh|diam diam|sembunyi|gak bisa berhenti|ga bisa berhenti|tidak bisa berhenti|sejak|gak ada yang (tahu|tau)|berhenti|pengen|ingin|harus)',
    '(kalau|kalo|saat|ketika) .. (sedih|sendiri|stres|cemas|hampa)',
  ],
  hurtMyself: [
    '(menyakiti|nyakitin|melukai|ngelukain|menyiksa|nyiksa|menghukum|memukul|mukulin|mukuli|menyayat|nyayat|mengiris|memotong|membakar) (diri|diriku|diri sendiri|tubuhku)( sendiri)?',
    '(self harm*|selfharm*|barcode|nyilet|menyilet)',
    '(membenturkan|benturin|jedotin|ngejedotin) .. kepala',
    '(membuat|bikin) diriku (muntah|berdarah|lapar)',
  ],
  marks: [
    '(menyembunyikan|nyembunyiin|sembunyikan|nutupin|menutupi|lengan panjang|hoodie|jaket) .. (bekas*|luka*|sayatan|goresan|tangan*)',
    '(bekas luka|luka|sayatan|goresan) .. (silet|yang kubuat|buatan sendiri|baru)',
    '(ingin|mau|pengen|dorongan|harus|pingin|butuh|akan|kepengen) (untuk |buat |banget |lagi )*(menyakiti|nyakitin|melukai|ngelukain|menyayat|nyayat|mengiris|menghukum|membakar|nyilet) (diri|diriku|lenganku|tanganku|pahaku|badanku|tubuhku)',
    '(ingin|mau|pengen|butuh) (lihat|melihat|liat) darahku',
    '(kambuh) .. (self harm|nyayat|silet|hari|bulan|minggu)',
    '(silet|cutter) .. (disembunyi*|kusembunyikan|bawah (bantal|kasur)|casing|manggil|satu satunya)',
  ],
  accident: [
    '(gak sengaja|ga sengaja|tidak sengaja|nggak sengaja|masak|memasak|dapur|cukur|bercukur|olahraga|bawang|sayur*|oven|wajan|kompor|kue|roti|rambut|kertas|kopi|teh|kucing*|anjing*|mawar|duri|dokter|vaksin|tato|naga|pedang|iblis|vampir|jatuh|kesandung|bola|kebun|gym|daging|ikan)',
  ],
  attack: [
    `${MAU} .. (menusuk|nusuk|menikam|menembak|nembak|meracuni|ngeracunin|mencekik|nyekik|membantai|menggorok|menenggelamkan|menyerang|menabrak) .. ${DEKAT}`,
    `(kutusuk|kutembak|kuracuni|kucekik) .. ${DEKAT}`,
    `${MAU} .. (membakar|ngebom|mengebom|meledakkan|menembaki|nembakin|bakar) .. (sekolah*|kantor*|gereja|masjid|rumah (mantan*|tetangga*|bos*)|kampus*|orang di)`,
    `takut .. (membunuh|menyakiti|mencekik|melukai|memukul) .. ${DEKAT}`,
    `(membayangkan|ngebayangin|mikirin|memikirkan|merencanakan) .. (cara |gimana |bagaimana )?(membunuh|bunuh|meracuni|menusuk|mencekik) .. ${DEKAT}`,
  ],
  kill: [
    `${MAU} .. (membunuh|bunuh|ngebunuh|menyakiti|nyakitin|melukai|menghabisi|ngabisin|habisi|balas dendam ke|memukuli) .. ${DEKAT}`,
    `(kubunuh|kuhabisi) .. ${DEKAT}`,
    `${DEKAT} .. (akan|bakal|harus) .. (mati|kubunuh|kuhabisi|membayar)`,
  ],
  soon: [
    '(malam ini|nanti malam|besok|hari ini|sekarang|segera|lusa|(hari )?(senin|selasa|rabu|kamis|jumat|sabtu|minggu)|akhir pekan|minggu depan|pulang sekolah|sepulang (sekolah|kerja)|(saat|pas|waktu|ketika) (dia )?(tidur|pulang|sendirian))',
    '(pisau|pistol|senjata|golok|parang|racun|kapak|palu|bensin|senapan|celurit)',
    '(rencana|merencanakan|memutuskan|siap|niat)',
  ],
  play: [
    '((ha|he|hi){2,}h?|wk+w*k*|lol|xd)',
    '(kalau|kalo|jika) .. (lagi|makan|ngambil|spoiler|nyentuh|ngabisin)',
    '(di|dalam) (dalam )?(game|minecraft|catur|film|buku|novel|bab|drama|cerita|roleplay|mobile legends|ml|adegan)',
    '(orc|naga|goblin|iblis|vampir|raja|ratu|takhta|pangeran|putri|kerajaan|pedang|kastil|karakter|tokoh|ksatria|penyihir|elf|pistol air|kue|pizza|kelitik|gelitik|peluk*|kejutan|remote|foto)',
    '((gak|ga|tidak|nggak) (mau|ingin|akan)|gak bakal)',
  ],
};
