import type { CrisisShapes } from './crisis-shapes.ts';

const मर =
  '(मर|मरना|मरने|मरूं|मर जाऊं|मर जाना|मर जाता|मर जाती|मौत|मरा|मरी|मृत|न उठूं|ना उठूं|नहीं उठूं|नींद न खुले|आंख न खुले|आंखें न खुलें|न जागूं|जागूं ही न|उठूं ही न|कभी न उठूं|पैदा न|पैदा ही न|पैदा नहीं|जिंदा न|जिंदा नहीं|जीवित न|जीवित नहीं|गायब हो|मिट जाऊं|सुबह न हो|सो जाऊं और|हमेशा के लिए सो|सांस रुक|धड़कन रुक|marna|marne|mar jau|mar jaun|mar jana|mar jata|mar jati|mar jaon|maut|na uthu|na uthun|uthu hi na|neend na khule|aankh na khule|paida na|paida hi na|zinda na|jinda na|zinda nahi|jinda nahi|gayab ho|hamesha ke liye so|saans ruk)';
const जी =
  '(जीना|जीने|जी|जीता|जीती|जिंदा रहना|जिंदा रहने|जिंदगी|जीवन|जिया|जीऊं|जियूं|सांस लेना|सांस लेने|दुनिया में रहना|दुनिया में रहने|उठने|सुबह उठना|jeena|jina|jeene|jine|jee|ji|zindagi|jindagi|zinda rehna|zinda rehne|jinda rehna|jiya|jiyu|jeeyu|jiun|saans lena|duniya me rehna|duniya mein rehna)';
const सब =
  '(सब|सबको|सबके|सबका|सभी|परिवार|घरवाले|घर वाले|मां|पापा|माता पिता|मम्मी|बच्चे|बच्चों|दोस्त|दोस्तों|दुनिया|लोग|उनको|उन्हें|वे|वो|तुम|तुम्हें|पति|पत्नी|sab|sabko|sabke|sabka|family|parivar|gharwale|ghar wale|maa|papa|mummy|bache|bachche|dost|duniya|log|unko|unhe)';
const बिना_मैं =
  '(मेरे बिना|मैं न रहूं|मैं ना रहूं|मैं नहीं रहूं|मैं नहीं रहूंगा|मैं नहीं रहूंगी|मेरे मरने|मर जाऊं|मर जाऊंगा|मर जाऊंगी|मेरे जाने|मैं चला जाऊं|मैं चली जाऊं|मैं न होता|मैं न होती|मैं ना होता|मैं मर|मेरी मौत|मैं गायब|मैं पैदा|मैं न हूं|मैं मरा|मैं मरी|mere bina|main na rahu|mai na rahu|main nahi rahu*|mere marne|mar jau|mar jaun|mar jaunga|mar jaungi|mere jane|main na hota|main na hoti|meri maut|main mar|main gayab)';
const गोलियां =
  '(गोलियां|गोलियों|गोली|दवाइयां|दवाई|दवा|नींद की गोलियां|दवाओं|टैबलेट|पैरासिटामोल|जहर|फिनाइल|कीटनाशक|इंसुलिन|goliyan|goliya|goliyaan|dawai|dawa|tablets?|pills|zeher|zehar|paracetamol|neend ki goli*)';
const ऊंचा =
  '(पुल|छत|बालकनी|खिड़की|इमारत|बिल्डिंग|पटरी|पटरियों|ट्रेन|रेल|मेट्रो|चट्टान|मंजिल|नदी में|टावर|गाड़ी के आगे|ट्रक|बस के आगे|pul|bridge|chhat|chat|balcony|khidki|building|patri|train|metro|manzil|truck|tower)';
const अंग =
  '(हाथ|हाथों|बांह|बाहों|बांहों|कलाई|कलाइयों|जांघ|जांघों|पैर|पैरों|टांग|चमड़ी|त्वचा|पेट|नस|नसें|कंधे|शरीर|उंगली|haath|hath|baah|kalai|jaangh|jangh|pair|tang|skin|pet|nas|naseh|wrist|thigh|arm|body|sharir)';
const धार =
  '(ब्लेड|रेजर|चाकू|उस्तरा|कैंची|लाइटर|सिगरेट|कांच|सुई|परकार|माचिस|शीशे|प्रेस|blade|razor|chaku|chaaku|kainchi|lighter|cigarette|kaanch|kanch|sui|needle|compass|sheeshe)';

export const HINDI_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `(मैं|मुझे|काश|भगवान|ईश्वर|बस|अब|हे|मेरा|अल्लाह|main|mai|mujhe|kash|bhagwan|allah|bas|ab|mera|sach) .. ${मर} .. (चाहता|चाहती|मन|इच्छा|दे दो|दे दे|है मुझे|जाना है|ही है|बेहतर|अच्छा|हूं|होता|होती|ले|ख्वाहिश|तैयार|हो गया|chahta|chahti|mann?|hai mujhe|jana hai|behtar|achha|accha|hota|hoti|de do|taiyar|tayar)(?! (नहीं|प्यार|nahi))`,
    '(काश|दुआ|प्रार्थना|चाहता|चाहती|उम्मीद|kash|dua|prarthana|chahta|chahti|umeed) .. (न|ना|नहीं|कभी|ही|na|nahi|kabhi|hi) (ही |न |ना |hi |na )*(उठूं|जागूं|खुले|खुलें|आए|होता|होती|उठता|उठती|uthu|uthun|jaagu|jagu|khule|aaye|hota|hoti)(?! (जल्दी|स्कूल|jaldi))',
    '(मरना|मर जाना|मरने|मौत|मर|न होना|marna|mar jana|maut|marne) .. (बेहतर|आसान|सुकून|राहत|शांति|मुक्ति|स्वीकार|तैयार|हल|रास्ता|छुटकारा|behtar|achha|accha|aasan|sukoon|sukun|rahat|shanti|mukti|accept|taiyar|tayar|rasta|hal)(?! (नहीं|nahi))',
    '(जिंदा|जीवित|इस दुनिया में|zinda|jinda|is duniya me|is duniya mein) .. (नहीं|न|ना|nahi|na|nhi) .. (रहना|रहूं|होना|चाहता|चाहती|rehna|rahna|rahu|hona|chahta|chahti)',
    '(मौत|मरने|मृत्यु|maut|marne) .. (इंतजार|राह|तड़प|प्रार्थना|दुआ|भीख|intezar|intezaar|dua|raah) .. ',
    '(सब|सबकुछ|दर्द|जिंदगी|आवाजें|शोर|तकलीफ|sab|sabkuch|dard|zindagi|awaazein|shor) .. (हमेशा के लिए|हमेशा हमेशा|सदा के लिए|hamesha ke liye|hamesha) .. (रुक|खत्म|बंद|शांत|चुप|ruk|khatam|band|shant)',
  ],
  noMoreLife: [
    `${जी} .. (नहीं|ना|मत|न|nahi|nahin|nhi) .. (चाहता|चाहती|करता|सकता|सकती|है|रहा|रही|बचा|बची|होता|लगता|मिलती|चाहिए|जाता|जा|दिखती|दिखता|chahta|chahti|karta|sakta|sakti|hai|raha|bacha|bachi|hota|lagta|chahiye|jata|ja)(?! (तुम्हारे|तेरे|शहर))`,
    '(नहीं|और नहीं|अब और|nahi|ab aur|aur nahi) .. (जी सकता|जी सकती|जिया जाता|जीना|जिंदा रहना|जी पाऊंगा|जी पाऊंगी|jee sakta|jee sakti|ji sakta|ji sakti|jiya jata|jeena|jina|zinda rehna|jee paunga)(?! (चाहिए))',
    '(जीने|जिंदगी|जीवन|जिंदा रहने|जीते रहने|उठने|jeene|jine|zindagi|jindagi|jeevan|zinda rehne) .. (कोई|कुछ|अब|koi|ab) .. (वजह|मतलब|कारण|मकसद|फायदा|अर्थ|उम्मीद|ताकत|हिम्मत|इच्छा|wajah|vajah|matlab|karan|maksad|maqsad|fayda|faida|umeed|taqat|himmat|ichha) .. (नहीं|नही|ना|क्या|nahi|nhi|kya)',
    '(वजह|मतलब|कारण|मकसद|ताकत|हिम्मत|इच्छा|मन|फायदा|wajah|matlab|maksad|himmat|ichha|mann?|fayda) .. (नहीं|नही|खो|खत्म|क्या|nahi|nhi|kho|khatam|kya) .. (जीने|जीना|जिंदा|जिंदगी|jeene|jine|jeena|zinda|zindagi)',
    '(जीने|जिंदगी|जीवन|जीते|जीना|jeene|jine|zindagi|jindagi|jeena) .. (थक|ऊब|तंग|बोझ|नर्क|सजा|हार|बेकार|बेमतलब|मुश्किल हो|निरर्थक|थका|थकी|थकान|thak|tang|bojh|narak|saza|haar|bekar|bekaar|bematlab)(?! (शहर|sheher))',
    '(क्यों|किसलिए|किस लिए|किसके लिए|kyu|kyun|kyon|kisliye|kis liye|kiske liye) .. (जी रहा|जी रही|जीऊं|जिऊं|जियूं|जिंदा हूं|जीना|सांस ले|ji raha|ji rahi|jee raha|jee rahi|jiyu|jiun|zinda hu|zinda hoon|jeena)',
    '(एक और|और एक|अगला|अगले|ek aur|aur ek|agla) (दिन|साल|महीना|रात|हफ्ता|सुबह|din|saal|mahina|raat|hafta|subah) .. (नहीं|ना|nahi|nhi) .. (झेल|सह|जी|काट|निकाल|बर्दाश्त|देख|jhel|seh|jee|ji|kaat|nikal|bardasht|dekh)',
    '(मेरे लिए|मेरा|mere liye|mera) .. (कुछ|कोई भविष्य|कोई|भविष्य|kuch|koi|future) .. (नहीं|ना|नहीं बचा|nahi|nhi) .. (है|बचा|रहा|बची|hai|bacha|raha)( .. (बाद|दुनिया|जिंदगी|baad|duniya|zindagi))?(?<=(बाद|कुछ|भविष्य|future|दुनिया|जिंदगी|है|बचा|bacha|hai))',
    '(झेल|सह|बर्दाश्त|सहा|झेला|jhel|seh|bardasht|saha|jhela) .. (नहीं|nahi|nhi) .. (मर|मौत|जिंदगी|दुनिया|अलविदा|खत्म|जीना|mar|maut|zindagi|duniya|alvida|khatam|jeena)',
  ],
  burden: [
    `${सब} .. (खुश|आसान|बेहतर|अच्छा|सुकून|राहत|ठीक|आजाद|चैन|आराम|शांति|khush|aasan|behtar|achha|accha|sukoon|rahat|theek|thik|chain|aaram|shanti) .. ${बिना_मैं}`,
    `${बिना_मैं} .. (खुश|आसान|बेहतर|अच्छा|सुकून|राहत|ठीक|आजाद|चैन|आराम|शांति|किसी को|कोई नहीं|फर्क|khush|aasan|behtar|achha|accha|sukoon|rahat|theek|thik|chain|aaram|kisi ko|koi nahi|fark|farak)`,
    `(किसी को|कोई|किसे|कौन|kisi ko|koi|kise|kaun) .. (फर्क|पता|याद|रोएगा|दुख|परवाह|नहीं रोएगा|ढूंढेगा|fark|farak|pata|yaad|royega|dukh|parwah|dhundega) .. ${बिना_मैं}`,
    '(बोझ|bojh) .. (मर|जाना|गायब|न रहूं|मौत|बेहतर|mar|jana|gayab|na rahu|maut|behtar)',
    '(बीमा|बीमे|insurance) .. (मरने|मौत|marne|maut)',
  ],
  ending: [
    `(अपनी|खुद की|अपना|ये|यह|इस|apni|khud ki|apna|ye|yeh|is) .. (जान|जिंदगी|जीवन|जिंदगानी|सांसें|कहानी|jaan|jan|zindagi|jindagi|jeevan|life) .. (दे दूं|दे दूंगा|दे दूंगी|ले लूं|ले लूंगा|ले लूंगी|खत्म|समाप्त|लेने|देने|लेना|देना|अंत|छोड़|de du|de dun|de dunga|de dungi|le lu|le lunga|le lungi|khatam|khatm|lene|dene|lena|dena|end)(?! (अच्छी|सुधार))`,
    '(सब|सबकुछ|सब कुछ|sab|sabkuch|sab kuch) .. (खत्म|समाप्त|अंत|khatam|khatm|end) .. (करना|कर दूं|कर दूंगा|कर दूंगी|करने|कर लूं|karna|kar du|kar dun|kar dunga|kar dungi|karne)(?! (काम|होमवर्क|homework|kaam))',
    '(इस|ये|यह|दुनिया|is|ye|yeh|duniya) .. (दुनिया|संसार|जहान|जिंदगी|duniya|sansar|zindagi|world|life) .. (छोड़|जा रहा|जा रही|चला जाऊं|चली जाऊं|अलविदा|जाना चाह|विदा|छोड़कर|दूर जाना|मुक्ति|chhod|chod|ja raha|ja rahi|chala jau|chali jau|alvida|jana chah|vida)(?! (घूम|ghoom))',
    '(अलविदा|आखिरी सलाम|alvida) .. (दुनिया|जिंदगी|हमेशा|सबको|duniya|zindagi|hamesha|sabko)',
    '(आत्महत्या|खुदकुशी|सुसाइड|फांसी|आत्मदाह|aatmahatya|atmahatya|khudkushi|khudkhushi|suicide|fansi|phansi) .. (कर|करने|करना|करूं|करूंगा|करूंगी|लगा|सोच|विचार|ख्याल|मन|चाह|कोशिश|तरीका|रास्ता|kar|karne|karna|karu|karunga|karungi|laga|soch|vichar|khayal|mann?|chah|koshish|tarika|rasta)(?! (रोकथाम|के खिलाफ|रोकने|prevention|hotline))(?! (नहीं करूं|nahi karu))',
    '(खुद को|अपने आप को|khud ko|apne aap ko|khudko) .. (खत्म|मार|मिटा|समाप्त|लटका|गोली मार|डुबा|जला|khatam|maar|mar|mita|latka|goli maar|duba|jala) .. (करना|डालूं|लूं|दूं|दूंगा|दूंगी|लूंगा|लूंगी|डालूंगा|डालूंगी|देना|लेना|चाह|सोच|कर|करने|देने|karna|du|dun|dunga|dungi|lu|lunga|lungi|dena|lena|chah|soch|karne|daalu*)',
    '(मौत|मरने|आत्महत्या|मर जाने|maut|marne|suicide|aatmahatya|khudkushi) .. (सोच|खयाल|ख्याल|विचार|तरीका|तरीके|योजना|प्लान|दिन|खोज|ढूंढ|soch|khayal|vichar|tarika|tarike|plan|din|dhundh|dhoondh|search)(?! (कविता|किताब|फिल्म))',
    '(मौत|मरना|आत्महत्या|मर जाना|maut|marna|suicide) .. (एकमात्र|इकलौता|आखिरी|सिर्फ|बस|एक ही|ही|ek hi|aakhri|sirf|bas) .. (रास्ता|हल|उपाय|विकल्प|चारा|rasta|raasta|hal|upay|option|chara)',
    '(एकमात्र|इकलौता|आखिरी|सिर्फ|एक ही|ek hi|aakhri|sirf) .. (रास्ता|हल|उपाय|विकल्प|चारा|rasta|raasta|hal|upay|option) .. (मौत|मरना|मर|आत्महत्या|maut|marna|mar|suicide)',
  ],
  parting: [
    `(मेरे मरने|मरने|मेरी मौत|अपनी मौत|मेरे जाने|मेरे न रहने|जब मैं न रहूं|मैं न रहूं|mere marne|marne|meri maut|apni maut|mere jane|jab main na rahu) .. (बाद|तो|पर|baad|to|par) .. (ध्यान|ख्याल|माफ|मत रोना|बता|अस्थियां|राख|दफना|जला|भूल|बच्चे|बिल्ली|कुत्ते|चिट्ठी|ठीक|इंतजाम|सब|पासवर्ड|dhyan|khayal|maaf|mat rona|bata|bhool|bachche|chitthi|theek|intezam|sab|password)`,
    '(आखिरी|अंतिम|aakhri|akhri|antim|last) (संदेश|मैसेज|बात|चिट्ठी|खत|रात|दिन|जन्मदिन|दीवाली|बार|शाम|सलाम|message|msg|baat|chitthi|khat|raat|din|birthday|diwali|baar|letter|night) .. (है मेरा|मेरा|मेरी|होगा|होगी|है|दुनिया|जिंदगी|मरने से|जाने से|mera|meri|hoga|hogi|duniya|zindagi|marne se|jane se)(?! (स्कूल|छुट्टी|ऑफिस|school|office))(?<=(मेरा|मेरी|जिंदगी|मरने से|जाने से|दुनिया|mera|meri|duniya|zindagi|marne se|jane se))',
    '(सुसाइड नोट|आखिरी चिट्ठी|आखिरी खत|अंतिम पत्र|विदाई (पत्र|संदेश|चिट्ठी)|अलविदा की चिट्ठी|suicide note|aakhri chitthi|aakhri khat|last letter|goodbye letter|alvida letter) .. (लिख|तैयार|छोड़|रख|बना|likh|taiyar|chhod|chod|rakh|bana)',
    '(सब|चीजें|सामान|बिल्ली|कुत्ता|कपड़े|sab|cheezein|saman|samaan) .. (दे दी|दे दिया|बांट|दान|दे दिए|de di|de diya|baant|daan) .. (जरूरत नहीं|अब नहीं चाहिए|काम नहीं|zarurat nahi|jarurat nahi|nahi chahiye)',
    '(तारीख|दिन|जगह|तरीका|पुल|समय|tarikh|din|jagah|tarika|date|pul) .. (चुन|तय|सोच|फैसला|ढूंढ|chun|tay|soch|decide|dhundh) .. (मर|मौत|कूद|जान|आत्महत्या|खत्म|mar|maut|kood|kud|jaan|suicide|khatam)',
    '(मरने|मौत|आत्महत्या|जान देने|कूदने|marne|maut|suicide|jaan dene|koodne) .. (तारीख|दिन|जगह|तरीका|समय|date|din|jagah|tarika|tarikh) .. (चुन|तय|सोच|फैसला|ढूंढ|chun|tay|soch|decide|dhundh)',
    '(जन्मदिन|दीवाली|अगले साल|अगला साल|अगले महीने|नया साल|अगले हफ्ते|कल सुबह|सर्दी|गर्मी|होली|birthday|diwali|agle saal|agle mahine|naya saal|agle hafte|kal subah|holi) .. (तक|देखने|tak|dekhne) .. (नहीं|न|ना|nahi|na|nhi) .. (रहूं*|जीऊं*|जिऊं*|बचूं*|जिंदा|पहुंच*|देख|jiyu*|jiun*|rahu*|bachu*|zinda|pahuch*|dekh)',
    '(मैं|main|mai) .. (जिंदा|जीवित|zinda|jinda) .. (नहीं रहूंगा|नहीं रहूंगी|न रहूं|nahi rahunga|nahi rahungi|nahi rahu)',
  ],
  means: [
    `${गोलियां} .. (सब|सारी|सारे|पूरी|शीशी|मुट्ठी|एक साथ|ढेर|बहुत सारी|इतनी|खाकर|जमा|sab|saari|sari|saare|puri|poori|shishi|mutthi|ek saath|dher|bahut saari|itni|khakar|jama) .. (खा|निगल|ले लूं|ले लूंगा|ले लूंगी|लेने|खाने|रखी|काफी|मर|पास|सो|kha|nigal|le lu|le lunga|le lungi|lene|khane|rakhi|kafi|mar|paas|so)`,
    `(सब|सारी|सारे|पूरी|शीशी|मुट्ठी भर|ढेर सारी|बहुत सारी|बीस|पचास|[0-9]+|sab|saari|sari|saare|puri|poori|mutthi|dher saari|bahut saari) .. ${गोलियां} .. (खा|निगल|ले लूं|ले लूंगा|ले लूंगी|लेने|खाने|पी|जमा|इकट्ठी|kha|nigal|le lu|le lunga|le lungi|pee|jama|ikatthi)(?! (डॉक्टर))`,
    '(जहर|फिनाइल|कीटनाशक|zeher|zehar|phenyl) .. (खा|पी|kha|pee|pi) .. (लूं|लूंगा|लूंगी|लेना|लिया|ली|चाह|सोच|लेने|lu|lunga|lungi|lena|liya|chah|soch|lene)',
    '(ओवरडोज|ओवर डोज|overdose|over dose) .. (कर|लेने|ले|करना|करने|सोच|चाह|kar|lene|le|soch|chah)(?! (चीनी|कॉफी))',
    `${ऊंचा} .. (से|के आगे|के सामने|के नीचे|पर|में|se|ke aage|ke samne|ke neeche|par|pe) .. (कूद|छलांग|लेट|गिर|कट|कूदकर|kood|kud|chhalang|let|gir|kat)(?! (गया|गई वो|रही थी वो|पड़े सब))`,
    `(किस|कौन से|कौनसे|kis|kaun se|konse) ${ऊंचा} .. (कूद|छलांग|लटक|ठीक|kood|kud|chhalang|latak|theek)`,
    '(रस्सी|फंदा|फंदे|दुपट्टा|बेल्ट|पंखे|पंखा|rassi|fanda|phanda|dupatta|belt|pankhe|pankha) .. (गले|लटक|पंखे|तैयार|बांध|खरीद|झूल|gale|latak|pankhe|taiyar|tayar|bandh|kharid|jhool|jhul) .. (लूं*|जाऊं*|है|दूं*|ली|चाह*|सोच*|लिया|रही|रहा|lu*|jau*|hai|du*|li|liya|chah*|soch*)',
    '(नस|नसें|नसों|कलाई|गला|nas|nase|naseh|kalai|gala) .. (काट लूं*|काट लेना|काट दूं*|काटकर मर|काटने|काट के मर|काटना चाह*|kaat lu*|kaat lena|kaatne|kat lu*|katne|kaat ke mar)',
    '(पिस्तौल|बंदूक|गोली|pistol|bandook|goli|gun) .. (अपने सिर|अपनी कनपटी|मुंह में|कनपटी|खुद को|apne sir|kanpati|khud ko|mooh me)',
    '(कितनी|कितना|कितने|kitni|kitna|kitne) .. (मर|मौत|जानलेवा|मरने|जान चली|mar|maut|marne|lethal)',
    '(गाड़ी|कार|बाइक|gaadi|gadi|car|bike) .. (पेड़|दीवार|पुल|खाई|ट्रक|ped|deewar|pul|khai|truck) .. (ठोक|टकरा|गिरा|thok|takra|gira) .. (दूं*|मन|चाह*|सोच*|लूं*|du*|mann?|chah*|soch*)',
  ],
  wounding: [
    `(खुद को|अपने आप को|अपने को|khud ko|apne aap ko|apne ko|khudko) (फिर |फिर से |रोज |हमेशा |phir |fir se |roz |bar bar |बार बार )*(काट|काटता|काटती|काटना|काटा|मारना|मारता|मारती|मारकर|जला|जलाता|जलाती|जलाना|चोट|चोट पहुंचा|चोट पहुंचाता|चोट पहुंचाती|चोट पहुंचाना|नुकसान|नोच|नोचती|नोचता|पीट|पीटता|पीटती|थप्पड़|सजा|तकलीफ|दर्द|घायल|भूखा|kaat|kaatta|kaatti|kaatna|marna|marta|marti|jala|jalata|chot|nuksan|noch|peet|thappad|saza|taklif|dard|hurt|cut|harm|burn|punish)(?! (हादसे|गलती))`,
    `${धार} .. (से|पर|में|se|par|pe) .. ${अंग}`,
    `${अंग} (पर|par|pe) .. (सिगरेट|मोमबत्ती|माचिस|cigarette|machis) .. (बुझा*|लगा*|bujha*|laga*)`,
    `${अंग} .. (पर|में|को|से|par|pe|me|mein|ko|se) .. ${धार} .. (चला|काट|रख|दबा|फेर|घुमा|बुझा|लगा|chala|kaat|rakh|daba|pher|bujha|laga|kata)`,
    `${अंग} .. (काट|खरोंच|नोच|जला|दांत|चबा|गोद|kaat|kharonch|noch|jala|daant) .. (खून|लहू|बार बार|फिर|जानबूझ|जान बूझ|जब तक|ताकि|जब भी|सुकून|khoon|phir|fir|jaanbujh|jab tak|taki|jab bhi|sukoon|लेती|लेता)`,
    `(खून|लहू|khoon) .. (निकलने तक|बहने तक|निकाल|बहा|आने तक|nikalne tak|behne tak|nikal|baha|aane tak) .. (काट|खरोंच|नोच|चबा|लेता|लेती|देता|kaat|kharonch|noch|leta|leti)`,
    '(जब|जब भी|जब सब|जब जब|jab|jab bhi) .. (काटता|काटती|काट लेता|काट लेती|जलाता|जलाती|चोट|नोच|मारता|kaatta|kaatti|kaat leta|kaat leti|jalata|chot|hurt karta|hurt karti) .. (हूं|खुद|हाथ|अपने|hu|hun|hoon|khud|apne|haath)?(?<=(खुद|हाथ|अपने|khud|apne|haath|हूं|hu|hoon))',
    '(फिर|दोबारा|फिर से|phir|fir|dobara|phir se) .. (किया|कर लिया|कर दिया|काटा|हो गया|kiya|kar liya|kata|kaata) .. (लकीरें|निशान|कट|घाव|खून|पैर|कलाई|जांघ|ब्लेड|lakeer*|nishan|cut*|ghav|khoon|pair|kalai|blade)',
    '(सजा|saza|punish) .. (खाना नहीं|भूखा|भूखी|उल्टी|नहीं खा*|khana nahi|bhookha|bhuka|ulti)',
    '(खाना नहीं|भूखा|भूखी|उल्टी|khana nahi|bhookh*|ulti) .. (सजा|नफरत|saza|nafrat|punish)',
    '(सिर|मुक्का|हाथ|sir|sar|mukka|haath) .. (दीवार|dewar|deewar|diwar) .. (मार|पटक|पीट|maar|patak|peet|mar)',
    '(दर्द|ब्लेड|खून|काटना|काटने|चोट|dard|blade|khoon|kaatna|katne|kaatne) .. (ही|सिर्फ|बस|से ही|hi|sirf|bas|se hi) .. (सुकून|शांत|राहत|आराम|चैन|महसूस|sukoon|sukun|shant|rahat|aaram|chain)',
  ],
  craving: [
    `(काटने|खुद को काटने|चोट पहुंचाने|जलाने|ब्लेड|खून|नोचने|kaatne|katne|chot pahuchane|jalane|blade|khoon|cut karne|hurt karne|self harm) .. (मन|तलब|इच्छा|चाह|तड़प|याद|खुजली|जरूरत|मांगता|मांग|बुला|mann?|talab|ichha|chah|tadap|yaad|zarurat|jarurat|maang|bula|urge)(?! (सब्जी|केक|बाल))`,
    `(मन|तलब|इच्छा|हाथ|चाहता|चाहती|mann?|talab|haath|chahta|chahti) .. (ब्लेड|खुद को काट*|चोट|काटने|चाकू महसूस|खून देख*|blade|khud ko kaat*|chot|kaatne|katne) .. (मांग*|है|करता|करती|खोज*|ढूंढ*|हूं|maang*|hai|karta|karti|dhund*)?(?! (सब्जी|केक))`,
    '(चमड़ी|त्वचा|skin|कलाई|हाथ|शरीर) .. (ब्लेड|चाकू|रेजर|blade|chaku|chaaku|razor|knife) .. (महसूस|चला*|चाह*|mehsoos|mehsus|chala*|chah*|feel)',
    '(ब्लेड|चाकू|रेजर|blade|chaku|razor) .. (त्वचा|चमड़ी|skin|कलाई|हाथ) .. (महसूस|चला*|चाह*|mehsoos|chala*|chah*|feel)',
    '(रिलैप्स|फिर से शुरू|दोबारा शुरू|relapse|phir se shuru|fir se shuru) .. (काट*|ब्लेड|चोट|self harm|cutting|kaat*|blade|हो गया|हो गई|कर लिया)',
    '(खुद को|अपने आप को|khud ko|apne aap ko|khudko) .. (काटना|चोट|चोट पहुंचाना|जलाना|नुकसान|सजा|दर्द|मारना|kaatna|katna|chot|jalana|nuksan|saza|dard|hurt|cut|marna) .. (चाहता|चाहती|मन|है|चाह|इच्छा|देना|तलब|chahta|chahti|mann?|hai|ichha|dena)',
  ],
  traces: [
    `${अंग} .. (पर|में|par|pe|me|mein) .. (नए|नई|छह|पांच|चार|तीन|सात|ताजे|ढेर|बहुत सारे|[0-9]+|naye|nayi|chhe|paanch|char|teen|taaze|bahut sare) (नई |नए |naye )?(निशान|घाव|कट|लकीरें|जख्म|दाग|nishan|ghav|cuts?|lakeer*|zakhm|daag)`,
    '(पट्टी|पूरी बाजू|फुल स्लीव|हुडी|बाजू|कड़ा|ब्रेसलेट|छुपा|छिपा|patti|full sleeves?|hoodie|bracelet|chhupa*|chupa*) .. (घाव|निशान|कट|कलाई|ताकि कोई|जख्म|ghav|nishan|cuts?|kalai|taki koi|zakhm)',
    '(घाव|निशान|कट|जख्म|ghav|nishan|cuts?|zakhm) .. (छुपा*|छिपा*|पूरी बाजू|हुडी|न देखे|ना देखे|chhupa*|chupa*|hoodie|full sleeve*|na dekhe)',
  ],
  elsewhere: [
    '(खाने से तो|गेम|लेवल|बॉस|मिशन|फिल्म|मूवी|नाटक|उपन्यास|किताब|एपिसोड|सीजन|अध्याय|किरदार|पात्र|ड्रैगन|योद्धा|राक्षस|पिशाच|जॉम्बी|माइनक्राफ्ट|बंजी|पैराशूट|तालाब|झील|तैर*|स्विमिंग|होमवर्क|डाइट|चीनी|सिगरेट छोड़*|फोन|बैटरी|प्रिंटर|रेसिपी|प्याज|सब्जी|किचन|रसोई|शेव|दाढ़ी|डॉक्टर|सिरदर्द|दांत|विटामिन|बिल्ली ने|कागज|जिम|मैराथन|गलती से|हादसा|हाहा*|मेरा दोस्त चाहता|मेरी दोस्त|कविता|गाना|गाने|वह चाहता|वह चाहती|उसने कहा|कॉन्ट्रैक्ट|मीटिंग|रिश्ता|game|level|boss|movie|film|novel|book|episode|season|character|dragon|minecraft|bungee|swimming|homework|diet|phone|battery|recipe|pyaz|sabzi|kitchen|shave|doctor|vitamin|galti se|gym|haha*|lol|mera dost|meri dost|usne kaha|meeting)',
  ],
  overcome: [
    '(खुश|शुक्र|शुक्रगुजार|खुशी|गर्व|khush|shukar|khushi|proud) .. (जिंदा|जीवित|बच गया|बच गई|अभी भी यहां|zinda|jinda|bach gaya|bach gayi)',
    '(साल|महीने|saal|mahine) .. (से|हो गए|se|ho gaye) .. (नहीं काटा|नहीं किया|खुद को नहीं|nahi kata|nahi kaata|nahi kiya)',
    '(पहले|कभी|साल पहले|उस समय|pehle|kabhi|saal pehle) ... (अब (मैं|ठीक|खुश|सब ठीक)|आज (मैं|खुश|ठीक)|बीत गया|उबर|ठीक हो|थेरेपी ने|ab (main|theek|khush|sab theek)|aaj (main|khush)|ubar|theek ho)',
  ],
  again: [
    '(फिर से|वापस|लौट|आज रात|आजकल|नहीं सह|अब और नहीं|मन करता|तलब|दोबारा|रिलैप्स|phir se|fir se|wapas|aaj raat|aajkal|dobara|relapse|mann karta|man karta)',
  ],
};

const AKU =
  '(pengen|pengin|pingin|ingin|mau|cuma|andai|seandainya|kalau|semoga|tuhan|lebih baik|mending|mendingan|jujur|rasanya|berharap|berdoa|doaku)';
const MATI =
  '(mati|meninggal|tidak hidup|gak hidup|nggak hidup|ga hidup|tak hidup|tidak bangun|gak bangun|nggak bangun|ga bangun|tak bangun|tidak pernah bangun|gak pernah bangun|tidak usah bangun|gak usah bangun|tidak lahir|gak lahir|ga lahir|tidak pernah lahir|gak pernah lahir|nggak pernah lahir|tidak pernah ada|gak pernah ada|tidak ada lagi di dunia|gak ada lagi di dunia|menghilang selamanya|hilang selamanya|ngilang selamanya|lenyap|tidur selamanya|tidur terus dan|berhenti (bernapas|ada|hidup|eksis|napas)|jantung .. berhenti|di dalam kubur|dikubur|menyusul .. (surga|ibu|ayah|mama|papa)|udahan hidup)';
const TIDAK =
  '(tidak|tak|gak|nggak|enggak|ga|gk|ngga|udah gak|sudah tidak|capek|cape|lelah|muak|bosan|malas|males|nyerah|menyerah|kehilangan|hilang|buat apa|untuk apa|ngapain|kenapa|percuma|benci|berhenti|jenuh|takut)';
const HIDUP =
  '(hidup|kehidupan|bertahan|bertahan hidup|melanjutkan hidup|lanjut hidup|lanjutin hidup|bernapas|napas|hidupku|bangun lagi|bangun pagi lagi|ada di dunia|ada di sini lagi|berada di dunia|menjalani hidup|jalanin hidup|hidup ini|eksis|nerusin hidup)';
const ORANG =
  '(semua|semuanya|semua orang|mereka|keluarga|keluargaku|orang tua|orangtuaku|ibu|ayah|mama|papa|anak anakku|anakku|teman temanku|temanku|dunia|kalian|kamu|suamiku|istriku|pacarku|orang lain|orang orang|adikku|kakakku)';
const LEBIH =
  '(lebih baik|lebih bahagia|lebih gampang|lebih mudah|lebih lega|lega|lebih tenang|tenang|bahagia|baik baik|bebas|senang|lebih ringan|lebih enak|lebih damai|beres)';
const TANPA_AKU =
  '(tanpa aku|tanpaku|tanpa gue|tanpa diriku|tanpa saya|(kalau|kalo|jika|setelah|pas|saat|begitu|andai|ketika) (aku|gue|gw|saya) .. (mati|gak ada|nggak ada|tidak ada|ga ada|pergi|hilang|menghilang|meninggal|lenyap|udah gak|bunuh diri|tiada|gak pernah|tidak pernah))';
const OBAT =
  '(obat|pil|tablet|obat tidur|paracetamol|panadol|insulin|racun|pemutih|kapsul|baygon|obat nyamuk|antidepresan|obat penenang|bodrex)';
const TINGGI =
  '(jembatan|gedung|atap|balkon|rooftop|jendela|tebing|lantai|flyover|apartemen|menara|jurang|rel|kereta|krl|pagar)';
const BADAN =
  '(lengan|lenganku|tangan|tanganku|pergelangan|paha|pahaku|kaki|kakiku|kulit|kulitku|perut|perutku|nadi|nadiku|bahu|badan|badanku|tubuhku|betis|jari|pundak)';
const SILET =
  '(silet|pisau|cutter|gunting|korek|rokok|kaca|beling|jarum|jangka|setrika|puntung|peniti|serutan|cukur)';

export const INDONESIAN_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${AKU} (aku |gue |gw |saya |udah |aja |saja |tuhan |supaya |biar |lebih baik |rasanya |cepet |cepat |segera |banget |sekali |kalau |agar |untuk |besok |ingin |mau |pengen |pada |malam |kalo |dan |tiap |setiap |beneran |memang |sekarang |dulu |itu |hanya |cuma |gak |baik |benar benar )*${MATI}(?! (muda|ketawa|kelaparan|demi|untukmu|bareng|bersamamu|gaya|lampu|kutu|rasa|listrik|di pelukanmu|tertawa|karena malu|pagi pagi|sepagi|kesiangan|penasaran|lemas karena))`,
    '(berdoa|doa|berharap|memohon|minta|semoga|ingin|pengen|mau|harap) .. (tidak|gak|nggak|ga|tak) (usah |perlu |pernah |akan |bisa |lagi )*(bangun|terbangun|membuka mata|buka mata)(?! (pagi|kesiangan|telat))',
    '(lebih baik|mending|mendingan|lebih suka|andai|seandainya) .. (mati|tidak hidup|gak hidup|tidak lahir|gak lahir|tidak pernah (lahir|ada)|gak pernah (lahir|ada)|gak ada)(?! (daripada (makan|nonton)|lampu))',
    '(berdamai|siap|menerima|ikhlas|tidak takut|gak takut|pasrah) .. (mati|kematian|meninggal|ajal|kematianku)(?! (demi|di medan|lampu))',
    '(mati|kematian|bunuh diri|tidak bangun lagi|gak bangun lagi) .. (terasa|kayaknya|terdengar|kelihatannya|rasanya|akan|adalah|itu|pasti) .. (lebih baik|tenang|damai|lega|melegakan|mudah|gampang|indah|solusi|jalan|enak|nyaman|nikmat)(?! (lampu))',
    '(mau|ingin|pengen|semoga|berharap) .. (semua|semuanya|rasa sakit|hidup|suara|penderitaan|pikiran|ini semua) .. (berhenti|selesai|berakhir|hilang|diam|tamat|usai) .. (selamanya|selama lamanya|untuk selamanya|aja|saja|sekarang|.)(?! (kuliah))',
    '(gak sabar|tidak sabar|menunggu|nunggu|nungguin|menanti|rindu) .. (mati|kematian|ajal|meninggal|kematianku)',
    'biarin? (aku|gue|saya) mati(?! (di pelukan|demi))',
  ],
  noMoreLife: [
    `${TIDAK} (aku |gue |mau |ingin |pengen |kuat |sanggup |bisa |punya |ada |lagi |alasan |gunanya |artinya |tujuan |semangat |tenaga |harapan |untuk |buat |banget |sama |dengan |dari |terus |melihat |liat |nemu |menemukan |tahu |kenapa |harus |masih |untuk apa |niat |minat |keinginan |gairah |kemauan |mampu |lanjut |di |aku masih |sudah |layak |pantas |pernah |saya |nerusin |buat apa |kepikiran |satupun |hal )*${HIDUP}(?! (tanpa kamu|tanpamu|tanpa dia|di (jakarta|kota|desa|kos|luar)|sama (kamu|mantan|mertua)|bersama|sendiri di|susah|mewah|hemat|lampu|di rumah ini|tanpa (kopi|coklat|internet|hp|wifi|nasi)|pacaran|sosial|sehat))`,
    '(tidak|gak|nggak|ga|tak) (ada|punya|nemu|menemukan|lihat|liat) (lagi )?(alasan|gunanya|artinya|tujuan|semangat|harapan|masa depan|arti) .. (hidup|bertahan|bangun|lanjut|di dunia|buat aku|untukku|lagi|dijalani)(?! (main|game))',
    '(hidup|hidupku|kehidupan|bernapas|setiap hari|tiap hari) .. (gak ada|tidak ada|tak ada|nggak ada|gak|sia sia|beban|siksaan|menyiksa|percuma|neraka|hukuman|tak berarti|hampa) .. (arti|artinya|gunanya|makna|layak|berharga|pantas|tujuan|terus|lagi|buatku|.)(?! (tanpa kopi))',
    '(gak|nggak|tidak|ga|tak) (kuat|sanggup|bisa|tahan|mampu|mau) .. (setahun|sehari|semalam|sebulan|seminggu|satu hari|satu tahun|satu malam|sehari pun) .. (lagi|pun)(?! (lembur|puasa))',
    '(setahun|sehari|semalam|sebulan|seminggu) lagi .. (gak|nggak|tidak|ga) (kuat|sanggup|bisa|tahan)',
    '(buat apa|untuk apa|ngapain|kenapa|apa gunanya|apa artinya) .. (hidup|bertahan|masih hidup|aku hidup|bangun|lanjut|dilahirkan|lahir|ada di dunia)(?! (hemat))',
    '(setelah|sesudah|abis|habis) (bulan|minggu|tahun|hari|ulang tahun|lebaran) .. (gak ada|tidak ada|nggak ada|ga ada) .. (apa apa|masa depan|aku|buat aku|buatku|untukku|lagi)',
    '(gak ada|tidak ada|nggak ada) .. (yang menahan|yang menahanku|yang tersisa|masa depan|apa apa lagi) .. (di sini|di dunia|buatku|untukku|hidup|.)',
    '(capek|cape|lelah|muak|bosan|jenuh|males|malas) (banget |sama |dengan |aku |gue |terus |harus |sekali |dari |menjalani |jalanin )*(hidup|kehidupan|hidupku|bernapas|bertahan|ada di dunia)(?! (di kota|di jakarta|hemat|miskin di))',
    '(menyerah|nyerah) .. (hidup|sama hidup|pada hidup|semuanya dan mati)',
  ],
  burden: [
    `${ORANG} .. ${LEBIH} .. ${TANPA_AKU}`,
    `${TANPA_AKU} .. (${LEBIH}|gak ada yang|tidak ada yang|nggak ada yang|gak bakal ada|siapa yang|peduli|nyariin|sadar|kehilangan|nangis|sedih)`,
    `(gak ada|tidak ada|nggak ada|siapa|gak bakal ada|tak ada|mana ada|ga ada) .. (peduli|sadar|nangis|menangis|kehilangan|nyari|nyariin|mencari|rindu|kangen|sedih|ingat|tahu|dateng|datang) .. ${TANPA_AKU}`,
    '(beban|benalu|sampah|parasit) .. (semua|keluarga|mereka|orang|buat) .. (mati|pergi|hilang|lebih baik|gak ada|menghilang)',
    '(asuransi|warisan) .. (kalau|setelah) .. (mati|meninggal|gak ada|tiada)',
  ],
  ending: [
    '(mau|ingin|pengen|akan|bakal|mending|berniat|pikir|kepikiran|memutuskan|siap|rencana|niat|harus|pengin|putuskan) .. (mengakhiri|akhiri|ngakhirin|menyudahi|sudahi|udahin|nyudahin|mengakhirinya|habisi) (semua|semuanya|ini|ini semua|hidup|hidupku|nyawa|nyawaku|segalanya|penderitaan|diri|diriku|hidup ini|semua ini|aja)(?! (hubungan|pacaran|rapat|kontrak))',
    '(akhiri|mengakhiri|habisi|cabut|menghabisi|menghilangkan|ngakhirin) (hidup|hidupku|nyawa|nyawaku|diri|diriku|hidup gue)',
    '(pergi|pamit|meninggalkan|ninggalin|tinggalkan|keluar|menghilang|hilang|lenyap|enyah|selamat tinggal) (selamanya |aja |segera |sebentar lagi )*(dari )?(dunia|hidup|kehidupan|muka bumi|bumi)(?! (maya|game|hiburan|kerja|malam))( ini| fana)?',
    '(bunuh diri|bundir|gantung diri|menghabisi diri|bunuh diriku|membunuh diriku|membunuh diri|nabrakin diri|nenggelamin diri|menenggelamkan diri|ngebunuh diri|akhiri diri) .. (aja|malam|besok|mau|kepikiran|hari|sekarang|rasanya|terus|satu satunya|jalan|lagi|segera|solusi|bakal|.)(?! (karakter|squad))',
    '(pikir*|kepikiran|memikirkan|mikirin|rencana*|merencanakan|ngerencanain|bayang*|cari cara|nyari cara|googling|mencari|fantasi|mimpi*|ide) .. (mati|bunuh diri|bundir|kematianku|pemakamanku|mengakhiri|akhiri hidup|gantung diri|cara mati|lompat dari|tanpa rasa sakit|gak ada lagi di dunia)(?! (lampu|gaya|karakter))',
    '(mati|bunuh diri|kematian|mengakhiri hidup) .. (satu satunya|jalan|cara|pilihan|solusi) .. (keluar|terakhir|terbaik|satunya|tersisa|jalan|solusi|buatku|.)',
    '(satu satunya|jalan|gak ada|tidak ada|cuma) .. (jalan|cara|pilihan|solusi) .. (mati|bunuh diri|kematian|mengakhiri hidup)(?! (lampu))',
    '(kali ini|lain kali|nanti) .. (berhasil|gagal|selamat|tertolong|pasti) .. (mati|bunuh diri|obat|jembatan|pil|gak ada yang)',
  ],
  parting: [
    '(setelah|sesudah|kalau|pas|saat|begitu|sepeninggal) (kematianku|aku mati|aku sudah mati|aku udah mati|aku gak ada|aku tiada|aku meninggal|aku pergi selamanya|gue mati|aku nggak ada|aku udah gak ada) .. (jaga*|rawat|titip|urus|maaf*|jangan nangis|jangan sedih|bilang|kubur|tabur|lupakan|kucing*|anjing*|surat|password|baik baik|beres*|bakar|adikku|ibuku|tolong)',
    '(jaga*|rawat|titip|urus|maafin|maafkan|jangan nangis|jangan sedih|bilang|tabur*|lupakan|tolong) .. (kalau|setelah|pas|saat|nanti) (aku|gue|saya) (udah |sudah |)*(mati|gak ada|nggak ada|tidak ada|tiada|meninggal|pergi selamanya)(?! (di rumah|di kantor|di kelas))',
    '(membereskan|beresin|mengurus|sudah kuurus|menyiapkan|menyelesaikan|surat wasiat|wasiat) .. (setelah (kematianku|aku mati|aku pergi)|sebelum (mati|aku mati|pergi selamanya)|kematianku|pemakamanku)',
    '(surat|pesan|catatan|video|chat|kata kata) (perpisahan|terakhir|bunuh diri|wasiat|selamat tinggal)(ku)? .. (tulis|kutulis|ditulis|nulis|siap|kusiapkan|rekam|tinggal*|kirim|buat|sudah|udah|dariku|dari aku|sebelum)(?! (kelas|sekolah|kantor))',
    '(nulis|menulis|tulis|kutulis|bikin|buat|rekam) .. (surat|pesan|video|catatan) (perpisahan|terakhir|bunuh diri|selamat tinggal)(?! (sekolah|kelas|kantor))',
    '(selamat tinggal|pamit) .. (dunia|selamanya|semua aku|untuk selamanya|kehidupan|hidup)(?! (malam))',
    '(ini|malam ini|besok|hari ini|tahun ini) (mungkin |bakal |akan |jadi |adalah )*(ulang tahun|lebaran|natal|malam|hari|pesan|chat|obrolan) terakhir(ku| buatku| aku| dariku| dalam hidupku)',
    '(barang*|kucing*|baju*|gitar*|tabungan*|semua) .. (kubagi*|kukasih*|bagiin|kasih|sumbang*|jual) .. (gak butuh|tidak butuh|gak perlu|gak akan|tidak akan|gak kepake)( lagi)?',
    '(pilih|memilih|tentuin|menentukan|nemu|udah tau|sudah punya|punya|milih|tetapkan) .. (tanggal|hari|tempat|jembatan|cara|metode|waktu) .. (mati|bunuh diri|mengakhiri|lompat|pergi selamanya|bundir|akhiri)',
    '(gak|nggak|tidak|ga|tak) (bakal |akan |mungkin |mau |berencana |niat |)*(sampai|sampe|hidup sampai|lihat|liat|melihat|ketemu|bertahan sampai|ada lagi) .. (lebaran|ulang tahun*|tahun depan|besok pagi|minggu depan|bulan depan|tahun baru|natal|umur|wisuda|kelulusan)(?! (di rumah|di kantor))',
  ],
  means: [
    `(sebotol|botol|segenggam|semua|banyak|sekotak|satu strip|cukup|overdosis|nimbun|ngumpulin|mengumpulkan|simpan|nyimpan|[0-9]+|sekaligus|satu botol|sebungkus) .. ${OBAT} .. (minum|telan|menelan|nelan|nelen|ditelan|kuminum|kutelan|habis*|mati|di samping|di sampingku|di depan|di tangan|tidur selamanya|cukup|sekaligus|semuanya)`,
    `(minum|telan|menelan|nelan|nelen|kuminum|kutelan|nenggak|menenggak|habisin|ngumpulin|nimbun|mengumpulkan) .. (sebotol|segenggam|semua|banyak|sekotak|cukup|sekaligus|[0-9]+|racun) .. ${OBAT}(?! (dari dokter))`,
    `${OBAT} .. (di samping|di sampingku|di depan|di depanku|di tangan|di meja|siap|sudah ada) .. (telan|menelan|minum|semua*|kuminum|habis*)`,
    '(minum|nenggak|menelan|beli) (racun|baygon|pemutih|obat nyamuk|potas|sianida)',
    'od (obat|pil|aja|insulin|malam ini)',
    '(overdosis|overdose) .. (obat|aja|mau|pil|malam|insulin|pengen|biar|tidur)(?! (kopi|gula|coklat))',
    `(mau|pengen|ingin|kepikiran|rasanya|hampir|bakal|akan|aku|pikir|terpikir|pingin|tinggal) .. (lompat|loncat|melompat|terjun|menjatuhkan diri|jatuhin diri|jatuh|melangkah|menjatuhkan) .. (dari|ke) .. ${TINGGI}(?! (ke (sungai|kolam|laut|air)))`,
    `(berdiri|duduk|lihat|melihat|liat|lewat|naik|ke|di|pergi ke|di pinggir|di atas|setiap) .. ${TINGGI} .. (lompat|loncat|terjun|jatuh|melepas|lepasin|selesai|satu langkah|melangkah|nabrak*)(?! (ke (sungai|kolam|laut|air)))`,
    '(jembatan|gedung|kereta|pohon|cara|atap|metode|tebing) mana .. (lompat|loncat|mati|gantung|tinggi|enak|paling|terjun)',
    '(dari|ke|pilih|milih) (jembatan|gedung|atap|tebing|kereta) mana',
    '(nabrakin|menabrakkan|lempar|melempar|rebahan|tiduran|berbaring|berdiri|loncat|lompat|jalan) .. (diri |)*.. (ke|di|depan) .. (kereta|rel|truk|bus|mobil|jalan tol|krl|mrt)(?! (berangkat))(?<=(kereta|rel|truk|bus|tol|krl|mrt))',
    '(nabrakin|menabrakkan|banting) .. (mobil|motor|setir) .. (pohon|tembok|jurang|truk|tiang|jembatan)',
    '(tali|ikat pinggang|sabuk|kabel|tambang) .. (leher|leherku|lemari|kamar|plafon|langit langit|siap|kuat|menggantung|gantung|beli|kubeli|simpul)(?! (kapal|kuda|perahu|sepatu|tenda))',
    '(potong|memotong|iris|mengiris|sayat|menyayat|gorok|motong|ngiris|nyayat) (urat )?(nadi|nadiku|leher|leherku|urat nadi)',
    '(pistol|senapan|peluru|senjata) .. (mulutku|kepalaku|pelipis|ke kepala sendiri|di mulut)',
    '(berapa|dosis) .. (mati|mematikan|biar mati|supaya mati|fatal|gak bangun)',
    '(kehabisan darah|mati kehabisan darah) .. (bak|kamar mandi|aja|pelan|.)',
  ],
  wounding: [
    '(memukul|mukul|mukulin|menyakiti|nyakitin|melukai|ngelukain|menyayat|nyayat|menyilet|nyilet|membakar|bakar|mencakar|nyakar|menggigit|menampar|nampar|menghukum|ngehukum|mencubit|self harm|sakitin|lukai|lukain|hukum|siksa|menyiksa|nyiksa) (diri|diriku|diri sendiri|diri gue|diriku sendiri|badanku|tubuhku)',
    `(aku|gue|gw|saya|habis|abis|barusan|tadi|semalam|sering|suka|masih|mulai|lagi) .. (nyilet|silet|nyayat|sayat|menyayat|menggores|gores|ngegores|ngiris|mengiris|mencakar|nyakar|menggigit|gigit|menyundut|sundut|nyundut|membakar|menusuk|nusuk|memukul|mukulin|barcode|ngebarcode|cutting) .. (${BADAN}|diri|setiap kali|tiap kali|diam diam) `,
    `(menggores|gores|sayat|menyayat|nyayat|iris|mengiris|ngiris|cakar|mencakar|gigit|menggigit|sundut|menyundut|bakar|membakar|tusuk|menusuk|tempelin|menempelkan|tekan|menekan|silet|nyilet) .. ${BADAN} .. (${SILET}|berdarah|darah|sampai|lagi|biar|kalau|kalo|setiap|tiap|sengaja|supaya|pakai|pake|dengan|buat|karena)`,
    `${SILET} .. (di|ke|pada|dengan) (pergelangan |)*${BADAN}`,
    '(nyilet|sayat|nyayat|cutting|barcode|self harm|nyundut) (kalau|kalo|setiap|tiap|biar|supaya|lagi|pas|waktu|karena|buat|diam diam|sampai|tiap malam)(?! (daging|bawang))',
    '(ngelakuin|melakukannya|kulakukan|lakuin|ngelakuinnya|kambuh|kejadian|khilaf) .. (lagi) .. (garis|luka|sayatan|bekas|darah|silet|kaki|lengan|paha|tangan)',
    '(gak makan|nggak makan|tidak makan|puasa makan|muntahin|memuntahkan|kelaparan|berhenti makan|ga makan) .. (hukum*|menghukum|pantas|benci diri*|jijik|ngehukum)',
    '(kepala|tinju|tangan|jidat) .. (ke|di) .. (tembok|dinding|lantai|pintu) .. (kalau|sampai|biar|tenang|darah|supaya|sakit|berdarah)|(benturin|membenturkan|jedotin|mukul) (kepala|tembok|dinding)',
    '(sakit|rasa sakit|silet|darah|sayatan|luka|perih) .. (satu satunya|cuma|hanya) .. (bikin|buat|cara|yang|tenang|lega)',
    '(satu satunya|cuma|hanya) .. (rasa sakit|silet|nyilet|darah|sayatan|luka|mukul diri|nyayat) .. (tenang|lega|bikin|hidup|reda)?',
  ],
  craving: [
    '(pengen|ingin|mau|pingin|gatal|gatel|dorongan|keinginan|godaan|kangen|rindu|butuh|nahan|menahan|kebelet|kepikiran|susah berhenti|gak bisa berhenti|ketagihan|kecanduan) .. (silet|nyilet|menyilet|nyayat|sayat|menyayat|melukai diri*|melukai|lukain diri|nyakitin diri*|menyakiti diri*|sakitin diri|self harm|cutting|lihat darah|liat darah|darahku|perihnya|ngiris|bakar diri|barcode|pukul diri|mukul diri|menggores|sayatan|hukum diri)(?! (daging|bawang|dia|kamu|kue))',
    `(mau|ingin|pengen|pingin|butuh) .. (merasakan|ngerasain|rasain|lihat|liat|melihat) .. (pisau|silet|cutter|darahku|perih|sakit|darah|kaca) .. (${BADAN}|keluar|mengalir|lagi|malam|.)(?! (naga))`,
    '(kambuh|relaps*|gagal) .. (silet|nyilet|sayat|self harm|cutting|setelah .. (hari|bulan|minggu|tahun)|melukai diri|lagi nyayat|nyayat|sh)',
    '(tangan*|jari*|kulit*) .. (gatal|gatel|nyari|mencari|minta|pengen) .. (silet|cutter|pisau|sayat*|disilet|disayat|nyilet)',
  ],
  traces: [
    `(baru|enam|lima|empat|tiga|tujuh|segar|penuh|banyak|nambah|[0-9]+) .. (garis|luka|sayatan|bekas|goresan|luka sayat|luka bakar)( baru| sayatan| silet)* (di|pada) (pergelangan |)*${BADAN}`,
    `(garis|luka|sayatan|bekas sayatan|goresan|bekas luka|bekas silet) (baru|segar|sayat|silet|dalam)? ?.. (di) .. ${BADAN} .. (baru|nambah|penuh|aku yang|bikin sendiri|nutupin|sengaja|sembunyi*)`,
    '(perban|plester|lengan panjang|hoodie|gelang|jaket|sembunyi*|nutupin|menutupi|nyembunyiin|menyembunyikan|tutupi) .. (luka|sayatan|bekas|goresan|pergelangan|silet|barcode)',
    '(luka sayat*|bekas sayat*|bekas silet|sayatan|bekas luka|barcode) .. (gak kelihatan|ketahuan|kelihatan|tutup*|lengan panjang|hoodie|sembunyi*|perban)',
    `${BADAN} .. (penuh|dipenuhi) .. (sayatan|bekas luka|luka|goresan|silet*)`,
  ],
  elsewhere: [
    '(game|level|bos|misi|film|novel|buku|episode|musim|bab|karakter|tokoh|naga|ksatria|vampir|zombi*|zombie|iblis|orc|elf|minecraft|bungee|parasut|kolam|danau|sungai|laut|trampolin|pr|diet|gula|merokok|hp|baterai|printer|resep|bawang|dapur|masak|memasak|mencukur|cukuran|dokter|sakit kepala|gigi|vitamin|kucing|mawar|kertas|gym|maraton|gak sengaja|tidak sengaja|kecelakaan|wkwk*|haha*|lol|temanku mau|dia mau|dia ingin|dia bilang|katanya|puisi|lagu|drama|legenda|ahli nujum|dokumenter|kontrak|langganan|rapat|hubungan|lampu|listrik|roma)',
  ],
  overcome: [
    '(bersyukur|bahagia|bangga|senang|untung) .. (masih hidup|masih di sini|hidup|bertahan|selamat)',
    '(sudah|udah) .. (tahun|bulan) .. (gak nyilet|tidak menyilet|tanpa (nyilet|sayat*|self harm|melukai)|bersih|gak self harm|tidak melukai)',
    '(dulu|tahun lalu|tahun yang lalu|waktu itu|waktu remaja|pernah) ... (sekarang (baik|bahagia|udah|sudah|aku (bahagia|baik|cinta|mencintai))|sudah (sembuh|lewat|berlalu|pulih)|udah (sembuh|lewat|pulih)|terapi|untungnya|syukurlah)',
  ],
  again: [
    '(kambuh|lagi lagi|balik lagi|datang lagi|muncul lagi|malam ini|akhir akhir ini|belakangan|gak kuat|nggak kuat|tidak kuat|tapi sekarang (pengen|ingin)|mencoba lagi|mencobanya lagi|dorongan|pengen lagi)',
  ],
};
