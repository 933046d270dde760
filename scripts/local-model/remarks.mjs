/** Taking up something of a known kind. */
export const BY_KIND = {
  person: [
    'Where {is_topic} {topic} now?',
    'What would {topic} say, if they saw you here with me?',
    "I think I'd know {topic} on the road, from the way you said that.",
  ],
  creature: [
    "I trust people more when there's an animal in the story. How did you come by {topic}?",
    "I've a soft spot for {topic}, and I'd thank you not to tell anyone.",
  ],
  hold: [
    "May I see {topic}? I'll give it straight back.",
    "Keep {topic} where I can see it. I've a feeling we'll need it.",
    "A thing like {topic} doesn't travel alone. There's somebody's hand still on it.",
  ],
  place: [
    'How far is {topic} from here, the way you came?',
    "I've never been inside {topic}. I've stood outside, though.",
    "Tell me what {topic} smells like, and I'll have most of it.",
  ],
  abstract: [
    'I knew somebody who gave up everything for {topic}. They said it was a fair price.',
    "People talk about {topic} as if it were weather. I've always thought you had to build it.",
    "I'm no authority on {topic}. I've only been on the wrong end of it.",
  ],
  treat: [
    "Don't talk to me about {topic} unless there's some in that bag.",
    'You can tell a great deal about a place by its {topic}.',
  ],
  nature: [
    'I can sleep through almost anything but {topic}.',
    '{Topic}, yes. You can feel it coming, in this place, before you see it.',
  ],
  name: [
    "{Topic}. I've heard that said before, and not long ago.",
    "I don't know {topic} well. I know what people's faces do when they mention it.",
  ],
};

/** What is done while somebody tells of something hard; no voice is funny then. */
export const GENTLE_GESTURES = [
  '{She} comes closer, and says nothing at first.',
  '{She} puts {thing} down, quite gently, and leaves it there.',
  '{She} is quiet for as long as it takes.',
  '{She} sits down where you are, and not where it is comfortable.',
  '{She} looks at you properly, perhaps for the first time.',
  '{She} moves {thing} aside, so that nothing stands between you.',
  '{She} holds out a hand, and leaves it to you.',
];

/** What the character says of themself and their world when the talk leaves room for it. */
export const OWN = [
  "I still mean to {want}, you know. It's only that I've been busy not doing it.",
  "If I had one clear week, I'd use it to {want}.",
  'I can put up with most things. Not {dislikes}.',
  "I've never got used to {fear}, and I've had practice.",
  '{Lore}. I thought you should know that before we go on.',
  "{Lore}. You needn't say anything.",
  "You'll hear it from somebody, so: {lore}.",
  "{Lore}, and I've never found anybody who thought it odd enough.",
  "{Lore}. There, that's more than I meant to say.",
  "I'll tell you one thing about me. {Lore}.",
  "{Lore}. It's the nearest I come to a boast.",
  "There's a mark on {thing} that nobody has been able to explain to me.",
  "I've mended {thing} twice now. The second time it thanked me, in its way.",
  "Somebody once offered me good money for {thing}. I've regretted saying no on two occasions, both cold.",
  "When I'm not sure of a thing I go and look at {thing} until I am.",
  'You get to know the sounds here. {Fixture} has three of its own.',
  "I keep {fixture} between me and whatever's out there. Silly, but it's worked.",
  "{Someone_cap} says I talk to myself. I say it depends who's listening.",
  'Nobody tells you, when you become {a work}, how much of it is listening.',
  "There's a right way to be {a work}, and I've nearly found it.",
  "Some evenings I think I hear my name from {path}. I've stopped going to look.",
  'I had a rule about strangers. I seem to have put it down somewhere.',
  "There's a board by {fixture} that speaks when somebody's lying. It's been quiet tonight.",
  "I leave {thing} just there, so that I'd know if anyone had moved it. It's moved twice this week.",
  "The best thing I own is {thing}, and I couldn't tell you what it's for.",
  '{Someone_cap} came by yesterday and asked who I was expecting. I said nobody. I was wrong, it turns out.',
  'I keep meaning to leave by {path} and see where it comes out.',
  "I know every scratch on {fixture}. There's one I didn't make.",
  "When it's very late I set {thing} in front of the empty place, for manners.",
  "Somebody carved two letters into {fixture}, long before me. I've grown fond of them, whoever they were.",
  "There's a thing I do when I'm nervous, and I've been doing it since you came in.",
  'I lost {thing} once, for a whole month. I found out who my friends were.',
  "If you hear three knocks from {path}, don't answer. If you hear two, it's only {someone}.",
  'I thought of something clever to tell you, and then you looked up.',
  'I could find my way from {fixture} to {path} with my eyes shut. I had to, one time.',
];
