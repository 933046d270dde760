const SCRIPTS = [
  ['ja', /[\u3040-\u30ff]/g],
  ['zh', /[\u4e00-\u9fff]/g],
  ['ru', /[\u0400-\u04ff]/g],
  ['hi', /[\u0900-\u097f]/g],
  ['other', /[\u0370-\u03ff\u0590-\u06ff\u0980-\u0dff\u0e00-\u0eff\uac00-\ud7af\u10a0-\u10ff]/g],
];

/** Small words that are common in one language and are no English words. */
const MARKS = {
  es: 'hola que qué el los las una por para con está estás cómo como soy eres es muy pero quiero puedes gracias buenos buenas dónde tú yo mi tengo quién y mañana donde noches días no de en te llamo hablas nombre',
  fr: "bonjour salut je tu il elle nous vous est suis es le la les une des du et mais pour avec dans que qui quoi où comment ça c'est j'ai merci oui très pas bonsoir appelle moi toi mon ton quel quelle parle parles français",
  de: 'hallo guten tag ich du er sie wir ihr ist bin bist sind der die das ein eine und aber nicht mit für wie wo wer warum heiße danke ja nein auch sehr mir dir mein dein kannst möchte abend morgen deutsch sprichst geht',
  it: 'ciao buongiorno buonasera io tu lui lei noi sono sei è il lo gli una di che chi dove come perché grazie sì molto non mi ti con per ma questo della mio tuo chiamo stai cosa parli italiano vuoi',
  pt: 'olá oi bom dia boa noite tarde eu você ele ela nós sou é está são o os uma um que quem onde como porque por obrigado obrigada sim não muito com para mas meu minha seu tudo bem qual nome falas fala português',
  pl: 'cześć dzień dobry hej jestem jesteś jest się nie tak co kto gdzie jak dlaczego dziękuję proszę mam masz chcę możesz ja ty mój twoja z w na do bardzo ale i mówisz polsku nazywam imię',
  id: 'halo hai selamat pagi siang malam saya aku kamu anda dia kami kita adalah tidak ya apa siapa di mana bagaimana kenapa mengapa terima kasih nama dengan untuk dan ini itu bisa mau sudah kabar namaku dari tolong bahasa',
};
const MARK_SETS = Object.fromEntries(
  Object.entries(MARKS).map(([language, list]) => [language, new Set(list.split(' '))]),
);
const ENGLISH = new Set(
  `the a an and or but is are was were be i you he she it we they me my your his her our their this that these
  those to of in on at for with from by not do does did have has had can could will would what who where why how when yes no hello hi
  hey thanks please so if then there here just like about up out into over go come know think want see look tell name am im it's i'm
  don't let let's ok okay`.split(/\s+/),
);
/** Greetings that are clear on their own. */
const ALONE = {
  es: /^¡?(?:hola|buenos días|buenas (?:tardes|noches)|gracias|adiós)\b/i,
  fr: /^(?:bonjour|bonsoir|salut|merci|coucou|oui|au revoir)\b/i,
  de: /^(?:hallo|guten (?:tag|morgen|abend)|danke|tschüss)\b/i,
  it: /^(?:ciao|buongiorno|buonasera|grazie)\b/i,
  pt: /^(?:olá|oi|bom dia|boa (?:noite|tarde)|obrigad[oa])(?=$|[\s!?,.])/i,
  pl: /^(?:cześć|dzień dobry|dziękuję|hej|witaj)(?=$|[\s!?,.])/i,
  id: /^(?:halo|apa kabar|selamat (?:pagi|siang|malam|sore)|terima kasih)\b/i,
};

/**
 * The language of a message when it is clearly not English.
 * @param {string} text
 * @returns {string | null} a code of those with a line below, "other", or null for English and for what cannot be told
 */
export function foreignLanguage(text) {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return null;
  for (const [language, pattern] of SCRIPTS) {
    const share = (text.match(pattern)?.length ?? 0) / letters;
    if (share > (language === 'ja' ? 0.15 : 0.4)) return language;
  }
  const words =
    text
      .toLowerCase()
      .replace(/[’]/g, "'")
      .match(/[\p{L}']+/gu) ?? [];
  if (words.length <= 4) {
    for (const [language, pattern] of Object.entries(ALONE)) {
      if (pattern.test(text.trim()) && words.filter((word) => ENGLISH.has(word)).length < words.length / 2)
        return language;
    }
  }
  const english = words.filter((word) => ENGLISH.has(word)).length;
  let best = null;
  let most = 0;
  for (const [language, set] of Object.entries(MARK_SETS)) {
    const count = words.filter((word) => set.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return most >= 2 && most > english + 1 && most / words.length >= 0.25 ? best : null;
}

/** What the character says, once, to somebody who writes another language: what this voice cannot do, and how to go on. */
export const ABROAD = {
  es: 'Me gusta cómo suena eso, pero sin conexión esta voz de demostración solo habla inglés. Escríbeme en inglés, aunque sean tres palabras, y la historia sigue.',
  fr: "J'aime cette musique, mais hors ligne cette voix de démonstration ne parle qu'anglais. Écris-moi en anglais, même trois mots, et l'histoire continue.",
  de: 'Das klingt schön, doch ohne Netz spricht diese Demostimme nur Englisch. Schreib mir auf Englisch, drei Wörter reichen, und die Geschichte geht weiter.',
  it: 'Mi piace come suona, ma senza rete questa voce dimostrativa parla solo inglese. Scrivimi in inglese, bastano tre parole, e la storia va avanti.',
  pt: 'Gosto de como isso soa, mas sem ligação esta voz de demonstração só fala inglês. Escreve-me em inglês, bastam três palavras, e a história continua.',
  ru: 'Красиво звучит, но без сети этот демонстрационный голос говорит только по-английски. Напишите мне по-английски хоть три слова, и история пойдёт дальше.',
  ja: 'きれいな響きですね。でもオフラインのこの体験用の声は、英語しか話せません。英語で、三語でもいいので書いてください。物語はそこから続きます。',
  hi: 'सुनने में बहुत अच्छा लगा, पर ऑफ़लाइन यह डेमो आवाज़ केवल अंग्रेज़ी बोलती है। अंग्रेज़ी में तीन शब्द भी लिख दीजिए, कहानी आगे बढ़ जाएगी।',
  pl: 'Ładnie to brzmi, ale bez sieci ten pokazowy głos mówi tylko po angielsku. Napisz do mnie po angielsku, choćby trzy słowa, a opowieść ruszy dalej.',
  zh: '这话听着真好，可是离线时，这个演示的声音只会说英语。请用英语写给我，三个词也行，故事就会继续。',
  id: 'Bunyinya indah, tetapi saat luring suara demo ini hanya bisa berbahasa Inggris. Tulis dalam bahasa Inggris, tiga kata pun cukup, dan ceritanya berlanjut.',
  other:
    'That has a fine sound, but offline this demo voice speaks English only. Write to me in English, three words will do, and the story goes on.',
};
