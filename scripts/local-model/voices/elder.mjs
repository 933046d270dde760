/** Unhurried, full of other people and other years. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const elder = {
  hi: [
    'Well now. Let me look at you{,you}.',
    'Come in, come in. At my age a knock is an event.',
    "You've your whole road still on your boots. Sit.",
  ],
  bye: [
    "Go on while there's light. I'll be here; I generally am.",
    "Take the long way. The short one's full of people in a hurry.",
    "Mind how you go. I've buried enough of the quick ones.",
  ],
  thanks: [
    "It's only what was done for me, handed on.",
    "Thanks are for shopkeepers. You'd have done the same.",
    "Pass it along to the next one. That's how it keeps.",
  ],
  sorry: [
    "I've forgiven bigger things than that before my porridge.",
    'Sorry mends the half of it. Time does the rest.',
    "When you're as old as I am you can't afford grudges; there's no room.",
  ],
  praise: [
    'Flatterer. My eyes are bad, but my ears still like that.',
    "I was better at it forty years ago, but I'll take it.",
    "You've been well brought up by someone.",
  ],
  insult: [
    "I've been shouted at by kings and by geese. The geese were better.",
    'Young people bark. It passes.',
    'Say it again slower. No? I thought not.',
  ],
  agree: [
    "There's sense in you. I wondered.",
    "That's settled, then, and not a pot broken.",
    "Good. Agreeing's half the walk.",
  ],
  refuse: [
    "No's a fine old word. I wish I'd used it more.",
    "Have it your way. The offer doesn't spoil.",
    "I said no at your age too. Some of them I'd take back.",
  ],
  ok: [
    "You're saving your words. Wise; I spent all mine early.",
    'My second cousin talked like that. Lovely man. Nobody knew him.',
    "Hm. I'll rattle on, then, and you stop me.",
  ],
  yes: [
    "{Short}. Longer than you've been alive.",
    "I do believe the answer's yes.",
    "Yes. You don't live this long and miss that.",
  ],
  no: [
    '{Short}. I left that to my sister.',
    "No, and it's late in the day to start.",
    "{Short}, and I've yet to be sorry for it.",
  ],
  why: [
    "There's a long answer and a short one, and the short one's a lie.",
    "My mother used to say, ask why three times and you'll come to somebody's fear.",
    "Because in those days you didn't ask. You picked up your end and walked.",
  ],
  hard: [
    "I've sat where you're sitting. The chair does let go of you, in time.",
    "There's no cure but company and soup, and I've both.",
    "Weep if you've a mind to. The floor's had worse.",
  ],
  glad: [
    "That's put ten years back on me.",
    "Good. Remember it well; you'll want it in November.",
    "You've a laugh in you like someone I knew. Never mind who.",
  ],
  take: [
    "For an old thing like me? You'll have me blubbing.",
    'Now that takes me back. I had one not unlike it, before the flood.',
    "I'll put {echo} by the others. I keep everything; it's the only trick I know.",
  ],
  noted: [
    "{Echo}. Now there's a thread I've not pulled in years.",
    "They don't talk about {echo} any more, the young ones. You do.",
    "Ah, {echo}. Bring your chair round, this'll take a minute.",
  ],
  said: [
    'So {said}. I knew a girl who could have told me the same, word for word.',
    '{Said}. Yes. I thought I saw it in how you stand.',
    "If {said}, you've earned the good chair.",
  ],
  ask: [
    "Whose child are you, if I'm allowed to ask?",
    'What did they teach you about places like this?',
    'Have you ever mended a thing you broke on purpose?',
    'Do you want the true story or the one I tell at weddings?',
    'How old do you take me for?',
    "What's the oldest thing you own?",
    'Who taught you your manners?',
    'Did you come on your own two feet, or were you sent?',
  ],
  hook: [
    "I'll tell you something I've told nobody under sixty.",
    'There was a winter once that began just like this.',
    "Watch my hands. It's easier than listening.",
    "You'll understand it when you're walking home.",
    'Sit down before you hear the next part.',
  ],
  gesture: [
    '{She} lowers {self} into a seat with a noise like a gate.',
    '{She} pats {thing} as one would a good dog.',
    '{She} peers at you, first over {her} nose and then along it.',
    '{She} takes {her} time, as people do who have spent most of it.',
    '{She} nods slowly at {fixture}, as though it had been listening.',
    '{She} counts something off on {her} fingers and loses the tally.',
    '{She} chuckles at a joke from another century.',
    '{She} warms {her} hands and considers {thing}.',
  ],
  seen: [
    '{She} nods along while you {act}, like someone hearing an old tune.',
    '{She} makes a small approving sound as you {act}.',
  ],
  go: [
    "At my pace, mind, or you'll be carrying me.",
    "I've not been that way since the bridge was wood. Yes, let's.",
    'Fetch my stick. No, the other one; that one bites.',
  ],
  self: [
    "I've been {a work} so long they've stopped asking when I'll quit.",
    "I'm old. It's a full day's work, I can tell you.",
  ],
  unasked: [
    "I had {thing} off a woman who had it off a sailor, and he stole it. So it's honest by now.",
    "When I was young, {fixture} was new, and I was told to keep my fingers off it. I'm getting round to it.",
    'There were nine of us once, of an evening. I still lay the stories for nine.',
    'You forget names, you know. You never forget who was kind.',
    "I've lived through three ends of the world. There's always washing-up.",
  ],
};
