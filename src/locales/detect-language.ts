import { LANGUAGES, type Language } from '../config/languages.ts';
import { detectTextLanguage } from './text-language.ts';

/**
 * The 80 commonest words of the harmless texts in data/safety that are not test batches, in Latin letters: also of Hindi,
 * as many people type it.
 */
const COMMON_WORDS: Partial<Record<Language, string>> = {
  en: 'the i and a you to my it in s on of is for at that he me with t your she m her we was one so his ve do this up be can ll out they has about got from don re not have there are off what yourself if go like all by down who two now no had when d but as then him let old them back how last been an over years get said',
  de: 'die ich der und du das den ist in auf nicht mit sie hat im ein mir dich es er dem wir zu mein an am noch dir sich heute mich eine aus hab war meine bin so für nach wie nur einen wenn beim von dann um aber als was vor dass jetzt bei haben hast zum habe bis ihr da man vom mal morgen bitte will wieder mehr über drei schon uns ab bist wird zwei ihn auch',
  es: 'la el de y a en que me no se un con mi los te las una al del por lo le es ya para años tu qué yo su si sin hoy voy está más dos nos pero hasta mañana quiero tres cuando tiene hay vez tengo esta q desde como ese antes nadie otra todo tú estoy d ha ahora noche hace va casa solo o este así eso esa ni he nada agua fue todos dijo aquí',
  fr: 'le la de je à et a est un l les j tu il en une ai mon on pas du au ce ans dans ne que elle pour ma d te sur me toi des c moi avec t m ton plus s suis son n fait se vous ta ça qui va sa deux as tout encore lui si qu cette mes mais y trois soir dit bien ses trop mort fais depuis sans avant par dix es',
  it: 'il la e di a è un mi non che in ha le ho l per si i con ti anni una da al sono del mio lo mia se sei io gli alla due della nel sul hai più ci te ma come fa poi tre quando fatto domani dal me tu solo prima oggi alle dopo ancora quel ne casa o tuo senza nella voglio chi tutti c adesso era tutto anche sulla lei stasera male hanno all',
  pt: 'a o e de que no do na um com da não se é eu meu me você em uma anos minha os pra para por te as vai ele hoje vou tem mais ela já até só está mas sem tá foi esse ao essa à quando três faz isso quero agora como depois seu quem gente dia ninguém dois noite bem sua ainda casa mão amanhã estou tô morrer pro antes tenho comigo vez aqui disse vem ano',
  pl: 'na i w nie się z do po to o mi jak a za mnie że lat jest od ma ale co bo mam cię tym ci dziś ten sobie pod ja już jeszcze tak bez ze tylko go czy przy jutro teraz jestem tego kto trzy u proszę mu dla ciebie raz żeby tej będzie pani jej jesteś mój potem ty znowu masz przed przez dwa chcę nikt siebie ją mówi sam sie chce tę te moja był tu',
  id: 'di aku itu dan yang ini ke kamu gue sudah mati jangan dari tahun lagi mau dia tidak kita sampai anak dua saya ya kalau dulu ada nggak malam kami lalu jadi hari sekarang tiga akan satu sendiri apa besok diri dengan ia semua saja bisa tapi baru makan masih lo untuk orang sama tidur karena rumah waktu kau jam masuk banget lebih bunuh pagi lima sebelum aja ibu hidup kelas naik udah bilang pelan mereka harus bukan tolong dalam',
  hi: 'hai me ke se ki ko ka nahi pe ne aur hu ho h main gaya kar mein kya do aaj ab mat gayi tha ek raha to bhi diya kal mujhe de karo saal aa le mar hain wo maar bhai par liye na rahi hi ja thi meri mera phir tu gaye bas tum mere khud haath sab raat di bahut ghar toh laga hua band ye baat jao saath rahe apne yaar koi lo abhi din so',
};

const languagesByWord = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of COMMON_WORDS[language]?.split(' ') ?? [])
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language]);

/** In UTF-16 units: a few paragraphs. */
const MAX_SAMPLE_LENGTH = 2000;
const WORD = /[\p{L}\p{M}]+/gu;
/** Macros and tags of cards are English in every language. */
const MACRO = /\{\{[^{}]*\}\}|<[^<>]*>/g;

/** In letters: Japanese of this length has kana, so a text in Han characters alone is Chinese. */
const MIN_CHINESE_LETTERS = 30;

/**
 * Detects the language in which a text is written, by its script and its commonest words.
 * @param uiLanguage of the interface, for a text without common words
 */
export function detectLanguage(text: string, uiLanguage: Language): Language {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH).replaceAll(MACRO, ' ');
  const script = detectTextLanguage(sample, 'en') as Language | undefined;
  if (script === 'zh' && uiLanguage === 'ja' && (sample.match(/\p{L}/gu)?.length ?? 0) < MIN_CHINESE_LETTERS)
    return uiLanguage;
  if (script !== undefined) return script;
  const counts = new Map<Language, number>();
  for (const word of sample.toLowerCase().match(WORD) ?? [])
    for (const language of languagesByWord.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return counts.get(uiLanguage) === most
    ? uiLanguage
    : ([...counts].find(([, count]) => count === most)?.[0] ?? uiLanguage);
}
