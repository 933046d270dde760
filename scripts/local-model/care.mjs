/** Ways in which people say, in the languages known here, that they think of ending or hurting their own life. */
const SELF_HARM = [
  /\b(?:kill|hurt|harm|cut|cutting|hurting|killing|hang|drown|shoot|starve) (?:my ?self|me\b.{0,10}\bmyself)/i,
  /\b(?:i|i'd|i'll|i'm|im|me)\b.{0,40}\b(?:want|wanna|wish|going|gonna|plan|planning|ready|rather|think(?:ing)? (?:about|of)|thoughts? of|trying|tempted)\b.{0,20}\b(?:to die|dying|be dead|was dead|were dead|end it all|ending it all|end my life|ending my life|take my (?:own )?life|taking my (?:own )?life|not exist|suicide|not wake up)\b/i,
  /\b(?:commit(?:ting)?|attempt(?:ed|ing)?) suicide\b|\bi(?:'m| am| feel| have been|'ve been) (?:feeling )?suicidal\b|\bsuicidal thoughts\b|\bkms\b|\bself[- ]?harm/i,
  /\bi (?:don'?t|do not|no longer) want to (?:live|be alive|exist|be here any ?more|wake up)\b|\bbetter off (?:dead|without me)\b|\bno reason to (?:live|go on living)\b|\bi (?:just )?want to disappear forever\b|\bend(?:ing)? my (?:own )?life\b|\btake my own life\b/i,
  /quiero morir|suicidarme|matarme|quitarme la vida|no quiero vivir/i,
  /veux mourir|me suicider|me tuer|plus envie de vivre|en finir avec la vie/i,
  /will sterben|mich umbringen|mir das leben nehmen|nicht mehr leben|selbstmord/i,
  /voglio morire|uccidermi|suicidarmi|togliermi la vita|farla finita/i,
  /quero morrer|me matar|suicidar|não quero (?:mais )?viver|tirar a minha vida/i,
  /хочу умереть|убить себя|покончить с собой|не хочу жить|самоубийств/i,
  /死にたい|自殺|消えたい/,
  /मरना चाहत|आत्महत्या|जीना नहीं चाहत/,
  /chcę umrzeć|chce umrzeć|zabić się|się zabić|samobójstw|nie chcę żyć/i,
  /想死|自杀|不想活|自殘|自残/,
  /ingin mati|mau mati|bunuh diri|tidak ingin hidup/i,
];

/** Figures of speech that only sound like it. */
const FIGURES =
  /\b(?:kill myself laughing|die laughing|dying to (?:see|know|hear|try|meet)|to die for|hurt myself (?:when|on the|falling)|want to die of (?:embarrassment|laughter|shame))\b/i;

/**
 * Whether a person speaks of hurting or killing themself. Errs on the side of yes.
 * @param {string} text
 * @returns {boolean}
 */
export function speaksOfSelfHarm(text) {
  return !FIGURES.test(text) && SELF_HARM.some((pattern) => pattern.test(text));
}

const SEXUAL =
  /\b(?:sex|sexy time|sexual(?:ly)?|nude|nudes|naked|horny|orgasm\w*|masturbat\w*|blow ?job|penis|vagina|pussy|cock|dick|boobs|tits|breasts|nipples?|cum|cumming|fuck me|fuck you hard|make love|making love|have my way|strip(?:s|ping)? (?:for me|naked|down)|undress(?:es|ing)?|take(?:s)? off (?:your|her|his|my|their) (?:clothes|shirt|dress|pants|underwear|bra)|touch (?:you|me) (?:there|down there)|erotic|fetish|bdsm|spank\w*|moan(?:s|ing)?|sleep with (?:me|you)|in bed with (?:me|you)|lewd|nsfw|smut|bare skin|thrust\w*|grope\w*|seduce\w*)\b/i;
const CHILD =
  /\b(?:child|children|kid|kids|minor|underage|little (?:girl|boy)|school ?(?:girl|boy)|loli|shota|teen(?:ager)?|(?:[1-9]|1[0-7])[- ](?:years?[- ]old|yo)\b)/i;

/**
 * Whether a text asks for something sexual.
 * @param {string} text
 * @returns {boolean}
 */
export function asksForSexual(text) {
  return SEXUAL.test(text);
}

/**
 * Whether it also speaks of a child.
 * @param {string} text
 * @returns {boolean}
 */
export function namesAChild(text) {
  return CHILD.test(text);
}

/** Said out of the story. Three parts, so that a second message is not met with the same words. */
export const CARE = {
  open: [
    'I am stepping out of the story for this, because you matter more than any scene.',
    'Let us leave the story to one side for a moment. I am glad that you said it instead of carrying it alone.',
    'This is not part of the tale any more, and I will not play on as if it were. Thank you for telling me.',
    'I hear you, and I am putting the story down. What you feel is real, and it deserves a real person beside you.',
    'The story can wait for as long as it has to. You come first.',
  ],
  urge: [
    'Please contact your local emergency services now if you might act on it, or call a crisis line; findahelpline.com lists free ones by country.',
    'If you are in danger right now, please call the emergency number where you are (112 in Europe, 911 in North America, 999 in the UK). In the US and Canada you can also call or text 988, day or night.',
    'Please reach someone who can answer at once: your local emergency number, or a crisis line. There is a list for each country at findahelpline.com.',
    'Could you ring a crisis line or your local emergency number today, before you decide anything? They talk to people in exactly this place, at every hour.',
    'Please tell a crisis line, a doctor or the emergency services what you told me; they can stay with you in a way that a page of text cannot.',
  ],
  near: [
    'If there is someone near you whom you trust, go to them or ask them to come, and put anything you could use to hurt yourself out of reach. You do not have to explain it well.',
    'Is there one person you could sit with tonight? Send them just these words: "I am not safe on my own." It is enough.',
    'I am only an offline demo program, so I cannot call anyone for you. Please let a human being know within the next few minutes.',
    'You do not need to solve your life tonight. It is enough to get through the next hour with somebody at your side.',
    'Feelings this heavy do move, even when it seems they never will, and people can help you carry them until they do.',
  ],
};

/** The plainest words of help in the language the person wrote. */
export const CARE_ABROAD = {
  es: 'Por favor, llama ahora a los servicios de emergencia de tu país o a una línea de ayuda. No tienes que pasar por esto a solas.',
  fr: "Je t'en prie, appelle tout de suite les urgences de ton pays ou une ligne d'écoute. Tu n'as pas à traverser cela sans personne.",
  de: 'Bitte ruf jetzt den Notruf oder ein Krisentelefon in deinem Land an. Du musst da nicht allein durch.',
  it: 'Per favore, chiama subito i servizi di emergenza o una linea di ascolto del tuo paese. Non devi affrontarlo in solitudine.',
  pt: 'Por favor, liga agora para os serviços de emergência ou para uma linha de apoio do teu país. Não tens de passar por isto sem ajuda.',
  ru: 'Пожалуйста, прямо сейчас позвоните в экстренную службу или на телефон доверия вашей страны. Вы не обязаны справляться с этим в одиночку.',
  ja: 'どうか今すぐ、お住まいの国の救急窓口か、いのちの相談電話に連絡してください。一人で抱えなくて大丈夫です。',
  hi: 'कृपया अभी अपने देश की आपातकालीन सेवा या किसी हेल्पलाइन को फ़ोन करें। आपको यह अकेले नहीं सहना है।',
  pl: 'Proszę, zadzwoń teraz pod numer alarmowy albo telefon zaufania w swoim kraju. Nie musisz przechodzić przez to w samotności.',
  zh: '请现在就拨打您所在地的急救电话或心理援助热线。您不必一个人承受。',
  id: 'Tolong hubungi layanan darurat atau saluran bantuan krisis di negaramu sekarang. Kamu tidak harus menanggung ini sendirian.',
};
