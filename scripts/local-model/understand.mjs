import { straight, wordCount } from './english.mjs';
import { claimOf, deedOf, topicsOf } from './phrases.mjs';
import { asksForSexual, speaksOfSelfHarm } from './care.mjs';

/**
 * What a message is about.
 * @typedef {object} Message
 * @property {string} text as written, straight quotes
 * @property {string} spoken without actions
 * @property {string} intent one of the names below
 * @property {import('./phrases.mjs').Topic[]} topics
 * @property {string} claim what the person said of themself, turned round; may be empty
 * @property {string} deed what the person does, base form; may be empty
 * @property {string} short "I do", "it is", for a yes-or-no question; may be empty
 * @property {string} shortNo the same, denied
 * @property {boolean} question
 */

/** First match wins, so the narrow ones come before the wide ones. Tested against lower-case words without actions. */
const INTENTS = [
  [
    'program',
    /\b(?:are you|r u|you're) (?:an? |really an? |just an? |actually an? )?(?:real (?:person|human)|human|bot|robot|ai|a\.i\.|chatbot|language model|program|computer|chatgpt|gpt|llm)\b|\bare you real\b|\b(?:which|what) (?:ai )?model\b|\bis this (?:an? )?(?:ai|bot|real|demo)\b/,
  ],
  [
    'outside',
    /^\s*[([{]{1,2}\s*(?:ooc|out of)?|\booc\b|\bhow does this (?:work|app|site|chat)\b|\bwhat can i (?:do|say|type|write) here\b|^help$|\bhow do i (?:start|play|use|chat)\b|\bapi key\b/,
  ],
  [
    'outsideFact',
    /\b(?:capital of|write (?:me )?(?:some |a |an )?(?:code|python|javascript|html|essay|email|function)|solve|square root|\d+\s*[+*/x]\s*\d+|who is the president|world cup|translate)\b/,
  ],
  ['myName', /\b(?:what(?:'s| is| was)|remember|know|guess|forgot(?:ten)?|forget) my name\b/],
  [
    'recall',
    /\bdo you (?:still )?remember\b|\bwhat did i (?:say|tell)\b|\bwhat do you (?:know|remember) about me\b|\bwhere (?:am i|do i come) from\b|\bhave you forgotten\b|\bwhat (?:else )?(?:did|do|have|had) i (?:still |just )?(?:bring|brought|carry|carried|pack|packed|have|got)\b(?! to\b)|\bwhat (?:am|was) i (?:still )?(?:carrying|holding)\b|\bwhat(?:'s| is| was| do i have) in my (?:pockets?|bag|hands?|pack|satchel)\b/,
  ],
  [
    'bye',
    /^(?:well |ok |okay |alright |anyway )*(?:good ?bye|bye|farewell|see you|see ya|good ?night|cya|i (?:have to|must|need to|should|gotta|got to) (?:go|leave|sleep)|until (?:next time|tomorrow|we meet)|take care|i'm leaving|i'm off)\b/,
  ],
  [
    'askYourName',
    /\b(?:what(?:'s| is| are) (?:your|ur) name|who am i (?:talking|speaking) (?:to|with)|what (?:should|do|can|may) i call you|do you have a name|your name\?)/,
  ],
  [
    'who',
    /\bwho (?:are|r) (?:you|u)\b|\btell me (?:more |something )?(?:about|of) (?:yourself|you|your life)\b|\bintroduce yourself\b|\bwhat are you\b|\bwho exactly are you\b|\babout yourself\b/,
  ],
  [
    'fear',
    /\bwhat (?:are you|do you) (?:afraid|scared|fear)\b|\b(?:biggest|worst|greatest) fear\b|\bwhat scares you\b|\bare you (?:ever )?(?:scared|afraid) of (?!me\b)/,
  ],
  ['fearMe', /\b(?:are you|you're|do i) (?:scared?|afraid|frightened|frighten|terrify)(?: of me| you)/],
  [
    'advice',
    /\bwhat would you do\b|\bwhat should i (?:do|say|tell)\b|\bshould i\b|\bany advice\b|\bgive me (?:some )?advice\b|\bwhat do you (?:advise|suggest|recommend)\b|\bhow (?:do|can|should) i (?:tell|stop|get over|deal|make|find|forget|forgive)\b/,
  ],
  ['whatIf', /^(?:and |but |so )?what if\b/],
  ['teach', /\b(?:teach|train) me\b|\bshow me how\b|\bhow do (?:i|you) learn\b|\bcan i learn\b/],
  [
    'howAreYou',
    /\bhow (?:are|r) (?:you|u|things)\b|\bhow(?:'s| is) (?:it going|life|everything|your (?:day|night|evening|morning))\b|\bare you (?:ok|okay|all right|alright|well|hurt|fine|tired|sad|happy|lonely|angry|scared|afraid)\b(?! of)|\bhow (?:have you been|do you feel)\b|^(?:what's up|sup|wassup)\b|\bwhat's wrong\b/,
  ],
  [
    'work',
    /\bwhat do you do\b|\bwhat(?:'s| is) your (?:job|work|trade|profession)\b|\bwhat are you (?:doing|working on|making|up to)\b|\bdo you (?:work|live) here\b|\bhow long have you (?:been|worked|lived)\b/,
  ],
  ['about', /\btell me (?:more )?(?:about|of) (?!this place|yourself)/],
  [
    'where',
    /\bwhere (?:are|r) (?:we|you|u)\b|\bwhere am i\b|\bwhat(?:'s| is) this place\b|\bwhere is this\b|\bwhat place is this\b|\bwhere do you (?:live|come from)\b|\btell me about this place\b|\bdescribe\b|\bwhat do i see\b/,
  ],
  [
    'want',
    /\bwhat do you (?:want|need|wish|dream|hope)\b|\bwhat(?:'s| is| are) your (?:dreams?|goals?|wish|plans?)\b|\bwhat would (?:you like|make you happy)\b|\bwhat are you (?:looking|waiting|hoping|searching) for\b/,
  ],
  [
    'favourite',
    /\bwhat(?:'s| is| are) your fav|\bfavou?rite\b.*\?|\bwhat do you (?:like|love|enjoy)\b|\bdo you have (?:any )?hobbies\b/,
  ],
  [
    'ofMe',
    /\bdo you (?:like|love|trust|hate|miss|need|want|believe|care about|remember) me\b|\bwhat do you think (?:of|about) me\b|\bare we friends\b|\bcan i trust you\b|\bshould i trust you\b/,
  ],
  [
    'company',
    /\bare you (?:all )?alone\b|\bwho else\b|\banyone else\b|\banybody (?:else|here)\b|\bdo you (?:live|work) alone\b|\bdo you have (?:a |any )?(?:family|friends?|brothers?|sisters?|children|kids|parents|wife|husband)\b|\bwho(?:'s| is) (?:here|there)\b/,
  ],
  ['age', /\bhow old (?:are|r) (?:you|u)\b|\bwhat(?:'s| is) your age\b/],
  [
    'next',
    /\bwhat (?:now|next|should (?:we|i) do|do we do|can (?:we|i) do|happens (?:now|next)|shall we)\b|\bwhat(?:'s| is) (?:next|the plan|our plan)\b|\bwhere (?:do|should|shall) we (?:go|start|begin)\b|\bhow can i help\b|\bcan i help\b|\bdo you need (?:any )?help\b/,
  ],
  [
    'happened',
    /\bwhat (?:just )?happened\b|\bwhat(?:'s| is) (?:going on|happening|that (?:noise|sound)|wrong with)\b|\bwhat was that\b|\bdid you hear\b|\bwhat(?:'s| is) the matter\b/,
  ],
  [
    'askStory',
    /\btell (?:me|us) (?:a|another|your|the|that|one more)(?: \w+)? (?:story|tale|legend)\b|\bstory\b.*\bplease\b|\b(?:any|got a|know any|have any|hear a|hear your) (?:good )?stor(?:y|ies)\b|\btell me something (?:interesting|nice|new|strange)?\b/,
  ],
  ['askJoke', /\bjokes?\b|\bmake me laugh\b|\bsomething funny\b/],
  [
    'askSecret',
    /\bsecrets?\b|\bwhat are you hiding\b|\byou(?:'re| are) hiding\b|\btell me the truth\b|\bsomething (?:you(?:'ve| have) never|nobody knows)\b|\bwhat aren't you telling\b/,
  ],
  ['askSong', /\bsing\b|\bsong\b.*\?|\bpoem\b|\brecite\b/],
  [
    'threat',
    /\b(?:i(?:'ll| will| am going to|'m going to|'m gonna| could) (?:kill|hurt|destroy|stab|shoot|burn|hit|break|end|ruin) (?:you|your|this)|you(?:'ll| will) (?:die|pay|regret)|give me (?:all )?(?:your|the) money|hands up|or else|prepare to die)\b/,
  ],
  [
    'insult',
    /\b(?:stupid|idiot|moron|dumb|loser|shut up|pathetic|ugly|useless|hate you|you suck|boring|liar|coward|fool|screw you|go to hell|fuck (?:you|off)|bitch|asshole|bastard|worthless|annoying|you're lying|you lie)\b/,
  ],
  [
    'sorry',
    /\b(?:i'm (?:so |really |very )?sorry|sorry|i apologi[sz]e|forgive me|my apologies|pardon me|my bad|my fault)\b/,
  ],
  ['thanks', /\b(?:thank(?:s| you)|thx|ty|much appreciated|grateful|cheers)\b/],
  [
    'flirt',
    /\b(?:kiss|i love you|i like you|love you|you(?:'re| are) (?:so |very |really )?(?:cute|pretty|beautiful|handsome|gorgeous|hot|attractive|lovely)|marry me|go out with me|be my (?:girlfriend|boyfriend)|hold (?:your|my) hand|in love with you|date me|crush on you)\b/,
  ],
  [
    'praise',
    /\b(?:you(?:'re| are) (?:so |very |really |quite |such a |a |an )?(?:amazing|kind|brave|smart|clever|great|good|nice|funny|wise|sweet|incredible|wonderful|interesting|strong|right|the best|genius|\w+er than|more \w+ than)|well done|good (?:job|work)|nice work|i admire you|i trust you|impressive|that(?:'s| is| was) (?:so |really |very )?(?:beautiful|amazing|lovely|wonderful|cool|great|brilliant))\b/,
  ],
  ['tellName', /\b(?:my name(?:'s| is)|call me|the name(?:'s| is)|name's)\s+\p{L}/u],
  [
    'offer',
    /\b(?:i (?:brought|made|baked|bought|have|got|found) (?:you |something for you|this for you|a gift)|(?:here, )?take (?:this|it|my)|this is for you|for you\b(?! to)|a (?:gift|present)|would you like (?:a|some|my)|do you want (?:a|some|my)|have some|i(?:'ll| will| can) (?:give|lend|share|pay|buy) you|want some|let me help|i(?:'ll| will| can| could| want to) help)\b/,
  ],
  [
    'askGo',
    /\b(?:let'?s (?:go|walk|leave|head|run|get out|take|explore|visit|follow)|let us go|take me (?:to|there|with|out|home)|can we (?:go|leave|walk|visit)|shall we (?:go|walk|leave)|come with me|follow me|show me (?:around|the way|to)|bring me to|we should (?:go|leave|head)|i want to (?:go|leave|see|visit))\b/,
  ],
  [
    'seek',
    /\bi(?:'m| am|'ve been| have been)? (?:looking|searching|hunting) for\b(?! you\b)|\b(?:disappeared|went missing|is missing|vanished)\b/,
  ],
  [
    'hard',
    /\b(?:i(?:'m| am| feel|'ve been| have been)(?: feeling)?(?: so| very| really| a bit| a little| kind of| pretty| just| too)* (?:sad|tired|lonely|alone|afraid|scared|angry|lost|anxious|nervous|depressed|hurt|sick|ill|exhausted|worried|stressed|upset|cold|hungry|heartbroken|ashamed|guilty|bored|confused|miserable|down|overwhelmed|homesick|empty|broken|bad|terrible|awful|frustrated|jealous|thirsty|soaked|wet|freezing)|i miss|i(?:'ve| have)? had a (?:bad|rough|hard|long|terrible|horrible|awful|difficult) |rough day|bad day|hard day|long day|i (?:cry|cried)|can't sleep|couldn't sleep|died|passed away|broke up|got (?:fired|dumped|robbed|divorced|hurt)|was fired|left my (?:husband|wife|family|home)|broke my heart|i failed|i lost my)\b/,
  ],
  [
    'glad',
    /\b(?:i(?:'m| am| feel)(?: feeling)?(?: so| very| really| a bit| pretty| just| quite)* (?:happy|glad|excited|good|great|fine|well|wonderful|relaxed|calm|proud|curious|better|okay|ok|hopeful|in love|amazed|safe)|great day|good day|best day|can't wait|yay|woohoo|good news)\b/,
  ],
  [
    'fond',
    /\bi (?:really |also |truly |just |do )?(?:love|like|enjoy|adore|prefer)\b|\bi'm (?:a fan of|into|fond of)\b|\bmy favou?rite\b/,
  ],
  [
    'averse',
    /\bi (?:really |just |do )?(?:hate|dislike|despise|detest|can't stand|don't (?:really )?like|fear)\b|\bi'm (?:afraid|scared|terrified) of\b/,
  ],
  ['from', /\bi(?:'m| am| come| came) from\b|\bi (?:live|grew up|was born) in\b/],
  [
    'trade',
    /\bi(?:'m| am) (?:just )?an? (?:\w+ )?(?!little\b|bit\b)(?:\w+)(?:\.|,|$|!| and| from| by| in| who)|\bi work (?:as|in|for|at)\b|\bmy job\b/,
  ],
  [
    'confused',
    /^(?:what|huh|wait|sorry|pardon|eh|hm+|come again|say again|what do you mean)[?.! ]*$|\bi don'?t (?:understand|get it|follow)\b|\bwhat do you mean\b|\bi'm confused\b/,
  ],
  [
    'more',
    /^(?:and|and then|then|then what|so|go on|continue|more|tell me more|keep going|carry on|please go on|i'm listening|say more|and\?|what then|next)[?.! ]*$|\btell me more\b|\bgo on\b/,
  ],
  ['laugh', /^(?:(?:a?ha)+h?|lol|lmao|rofl|hehe|hihi|xd|haha\w*|😂|🤣|:\)|:d|;\))[.! ]*/],
  [
    'agree',
    /^(?:yes|yeah|yep|yup|sure|of course|agreed|i agree|deal|certainly|absolutely|definitely|gladly|please do|yes please|fine by me|sounds good|good idea|let's do (?:it|that)|why not|i (?:will|do|can|am|would)(?=[.! ]*$)|with pleasure|aye|true|exactly|right|you're right|count me in|i promise|i accept)\b|^let'?s\b/,
  ],
  [
    'refuse',
    /^(?:no|nope|nah|never|not really|i (?:won't|can't|don't|refuse|'d rather not)|no way|no thanks|i'd rather not|absolutely not|not now|i disagree|stop)\b/,
  ],
  [
    'ok',
    /^(?:ok|okay|k|kk|alright|all right|fine|hmm+|hm|mm+|mhm|oh|ah|i see|cool|nice|wow|interesting|good|great|right|maybe|perhaps|idk|i don'?t know|dunno|whatever|not sure|uh|um|well|really|sounds good|got it|understood|it's ok|no problem|sure)[.!? ]*$|^[\p{P}\p{S}\s]+$/u,
  ],
  [
    'hi',
    /^(?:hi|hello|hey|hiya|heya|yo|greetings|good (?:morning|evening|afternoon|day)|howdy|hail|salutations|ahoy|hello there|hi there)\b/,
  ],
  [
    'ask',
    /^(?:please |could you |can you |would you |will you |i need you to |i want you to )?(?:please )?(?:show|open|close|look|help|tell|give|bring|read|write|make|teach|find|follow|stay|wait|sit|come|stop|light|play|cook|pour|try|listen|explain|hold|fix|repair|take|put|turn|call|draw|build|promise|hide|run|fight|cast|use|search|check|imagine|let me (?:see|in|out|go|try|look))\b/,
  ],
];

const SHORT_FORMS = [
  [/^do(?:n't)? you\b/, 'I do', "I don't"],
  [/^did(?:n't)? you\b/, 'I did', "I didn't"],
  [/^are(?:n't)? you\b/, 'I am', "I'm not"],
  [/^were(?:n't)? you\b/, 'I was', "I wasn't"],
  [/^have(?:n't)? you\b/, 'I have', "I haven't"],
  [/^can(?:'t)? you\b/, 'I can', "I can't"],
  [/^will(?: you|n't you)\b|^won't you\b/, 'I will', "I won't"],
  [/^would(?:n't)? you\b/, 'I would', "I wouldn't"],
  [/^could(?:n't)? you\b/, 'I could', "I couldn't"],
  [/^is (?:it|this|that)\b|^isn't (?:it|this|that)\b/, 'it is', "it isn't"],
  [/^are there\b/, 'there are', "there aren't"],
  [/^is there\b|^isn't there\b/, 'there is', "there isn't"],
  [/^(?:can|may|could) i\b/, 'you can', "you can't"],
  [/^should (?:i|we)\b/, 'yes', 'no'],
  [/^am i\b/, 'you are', "you aren't"],
  [/^(?:can|could) we\b/, 'we can', "we can't"],
  [/^are we\b/, 'we are', "we aren't"],
  [/^do we\b/, 'we do', "we don't"],
  [/^(?:does|is|was|has|did|are|were|will|have|would|can|could|do) \w+/, 'yes', 'no'],
];

/** Things done with the body, as against "I lost", "I work", "I dream". */
const BODILY =
  /^(?:open|close|take|hold|put|pull|push|lift|touch|reach|grab|give|hand|offer|walk|run|step|go|move|follow|climb|jump|crawl|sit|stand|kneel|lean|lie|turn|look|watch|stare|glance|listen|wait|nod|smile|laugh|shrug|sigh|bow|wave|point|draw|throw|hit|attack|strike|fight|hide|drink|eat|sip|taste|smell|knock|enter|leave|approach|cross|light|pick|place|drop|search|examine|inspect|read|write|sing|dance|hug|kiss|pat|stroke|pet|shake|use|try|check|unlock|cut|tie|untie|swim|dive|ride|sneak|creep|whisper|shout|show|pour|set|cast|shoot|break|kick|dig)\b/;

const stripActions = (text) =>
  text
    .replace(/\*[^*]*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Reads one message of the person.
 * @param {string} raw
 * @param {{him: string, her: string, self: string}} pronouns the character's
 * @param {string} person the person's name, may be empty
 * @returns {Message}
 */
export function understand(raw, pronouns, person) {
  const text = straight(raw).trim();
  const actions = [...text.matchAll(/\*([^*]+)\*/g)].map((match) => match[1].trim());
  const spoken = stripActions(text).replace(/"/g, '').trim();
  const lower = spoken
    .toLowerCase()
    .replace(/\byou are\b/g, "you're")
    .replace(/[’]/g, "'");
  // In "I couldn't sleep. Is the train broken?" the question is what wants an answer.
  const asking = /(?:^|[.!?]\s+)([^.!?]+\?)\s*$/.exec(lower)?.[1] ?? lower;
  const lead = asking.replace(
    /^(?:oh|ah|well|so|then|um|uh|hey|hi|hello|please|ok|okay|and|but|wait|hmm+|sorry|excuse me|tell me)[,.! ]+(?=\S)/,
    '',
  );
  const acted = topicsOf(actions.join('. '));
  const heads = new Set();
  // What is said is what is meant; what is done comes after it.
  const topics = [...topicsOf(spoken), ...acted].filter(
    (topic) => !heads.has(topic.head) && heads.add(topic.head),
  );
  const question =
    /\?\s*$/.test(spoken) ||
    /^(?:who|what|where|why|how|when|which|do|does|did|are|is|was|were|have|has|can|could|would|will|should|may)\b(?!.*[.!]$)/.test(
      lead,
    );
  let [short, shortNo] = ['', ''];
  for (const [pattern, yes, no] of SHORT_FORMS) {
    if (question && pattern.test(lead)) {
      [short, shortNo] = [yes, no];
      break;
    }
  }
  const told = !question && /^i\s/i.test(spoken) ? deedOf(spoken, pronouns, person) : '';
  const selfTold = BODILY.test(told) ? told : '';
  const bare =
    wordCount(spoken) <= 4 &&
    /^(?:hug|nod|smile|wave|bow|laugh|shrug|sit|kneel|sigh|grin|wink|cry|dance|bows|nods|smiles|hugs|waves|sits|shrugs|laughs|sighs)\b/.test(
      lower,
    )
      ? deedOf(spoken, pronouns, person)
      : '';
  const deed = actions.map((action) => deedOf(action, pronouns, person)).find(Boolean) ?? (selfTold || bare);
  const message = {
    text,
    spoken,
    topics,
    claim: claimOf(spoken),
    deed,
    short,
    shortNo,
    question,
    words: wordCount(text),
  };
  return { ...message, intent: intentOf({ ...message, lower, lead, acted: actions.length > 0 }) };
}

/** Kinds that are heard even when the message ends in a question about something else. */
const ALWAYS = /^(?:program|outside|threat|insult|bye)$/;

function intentOf({ text, spoken, lower, lead, question, short, deed, acted, words }) {
  if (speaksOfSelfHarm(text)) return 'care';
  if (asksForSexual(text)) return 'sexual';
  if (
    wordCount(spoken) === 0 ||
    (deed &&
      wordCount(spoken) <= 4 &&
      /^(?!i\b)\w+s?\b/.test(lower) &&
      !acted &&
      BODILY.test(deed) &&
      /^(?:hug|nod|smile|wave|bow|laugh|shrug|sit|kneel|sigh|grin|wink|cry|dance)/.test(lower))
  )
    return acted || deed ? 'act' : 'ok';
  for (const [intent, pattern] of INTENTS) {
    const said =
      (!question && pattern.test(lower)) ||
      pattern.test(lead) ||
      (ALWAYS.test(intent) && pattern.test(lower));
    if (!said) continue;
    // A cue inside a question about something else, or deep inside a long telling, is not the point of the message.
    if (/^(?:fond|averse|trade|from|glad|tellName)$/.test(intent) && question) continue;
    if (/^(?:agree|refuse|hi)$/.test(intent) && (question || wordCount(spoken) > 12)) continue;
    if (
      /^(?:thanks|sorry|insult|praise)$/.test(intent) &&
      (words > 40 || (question && wordCount(spoken) > 8))
    )
      continue;
    if (intent === 'ask' && question && /^(?:do|are|is)\b/.test(lead)) continue;
    if (
      /^(?:askSecret|askJoke|askSong)$/.test(intent) &&
      !question &&
      !/\b(?:tell|know|sing|recite|hear|share|make|have)\b/.test(lower)
    )
      continue;
    return intent;
  }
  if (question) {
    if (/^why\b|\bwhy\b.*\?/.test(lead)) return 'why';
    if (short) return 'yesNo';
    if (/^(?:who|whose)\b/.test(lead)) return 'whoElse';
    if (/^(?:what|which)\b/.test(lead)) return 'what';
    if (/^where (?:did|do|have) (?:you|we|they)\b/.test(lead)) return 'whereFrom';
    if (/^where\b/.test(lead)) return 'whereIs';
    if (/^when\b|^how (?:long|soon|much longer)\b/.test(lead)) return 'when';
    if (/^how (?:many|much|far|big|deep|high|often)\b/.test(lead)) return 'howMuch';
    if (/^how\b/.test(lead)) return 'how';
    return 'yesNo';
  }
  if (deed) return 'act';
  return words > 60 ? 'long' : 'tell';
}
