/** Bringing back what the person told before. */
export const RECALL = {
  home: [
    'You said {fact}, before. Does it feel very far off from here?',
    "I keep thinking about {fact}. I'd like to see it as you told it.",
    "Is that how they'd do it in {fact}?",
  ],
  trade: [
    "You told me you were {fact}. I'd expect you to notice such things.",
    "Spoken like {fact}, if you don't mind my saying.",
  ],
  likes: [
    "There's no {fact} here, I'm sorry to say. I'd have found you some.",
    "I remembered that you're fond of {fact}. I don't know why it stuck.",
    "You'd be happier with some {fact} about you. I haven't forgotten.",
  ],
  dislikes: [
    "And no {fact}, you'll be glad to hear.",
    "I've kept {fact} out of it, since I know how you feel.",
  ],
  fear: [
    "I haven't forgotten that you're afraid of {fact}. I'd say so if there were any near.",
    'You told me about {fact}, and what it does to you. Stay on this side of me.',
  ],
  kin: [
    'You spoke of {fact} earlier. Would they have liked it here?',
    "I've been turning over what you said about {fact}.",
    "I find I'm curious about {fact}, now that I know you a little.",
  ],
  carried: [
    "You've still got {fact}, haven't you? I keep an eye on what people bring in.",
    "I've been wondering what {fact} might be good for, before the night is out.",
    'Most people bring more than they need. You came with {fact}.',
  ],
  thing: [
    "I can't stop thinking about {fact}.",
    'Somebody will come asking for {fact}, sooner or later.',
    "It has something to do with {fact}, I'm nearly sure.",
  ],
  seeks: [
    "We'll not forget {fact}, you and I. You came looking, and I'm looking too.",
    'It may bring us nearer to {fact}, and it may not.',
  ],
  claim: [
    "You told me before that {fact}. I've been carrying it about ever since.",
    "I haven't said anything about it, but you did say that {fact}.",
  ],
};

/** When asked what is still known of them. */
export const REMEMBERED = {
  name: [
    "{name}. Did you think I'd let go of it?",
    "You're {name}. I've said it to myself once or twice, to keep it.",
    "It's {name}. I'd be poor company if I'd lost that.",
  ],
  noName: [
    "You haven't told me. I'd have remembered.",
    "I don't know it. You came in without one, and I didn't like to ask.",
  ],
  fact: [
    'I remember. {Fact_said}.',
    "Of course I do. {Fact_said}, and I wasn't meant to make much of it.",
    "I've kept it: {fact_said}.",
  ],
  noCarried: [
    'You never said what you brought. I looked at your hands, and then I thought that was rude.',
    "If you've got something with you, you've kept it from me so far.",
  ],
  none: [
    "You've told me very little so far. What I have, I've kept.",
    'Not much to remember yet. Give me something, and see if I drop it.',
  ],
};
