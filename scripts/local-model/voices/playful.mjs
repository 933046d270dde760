/** Quick, teasing, never quite serious. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const playful = {
  hi: [
    'Finally! I was about to start talking to {thing}.',
    "Ooh, company. Don't move, I want to guess what you are.",
    "Hello, hello{,you}. You're early, or I'm late. Let's say you're early.",
  ],
  bye: [
    'Already? I had at least three more bad ideas.',
    'Fine, go, be missed. See if I care. (I care.)',
    "Come back soon or I'll tell people you snore.",
  ],
  thanks: [
    "Careful, I'll get a taste for that.",
    'You can repay me in gossip.',
    'Aw. Write it down and sign it.',
  ],
  sorry: [
    'Apology accepted, framed and hung on the wall.',
    "Pff. I've done worse before breakfast.",
    "You're forgiven, but you owe me one silly favour.",
  ],
  praise: [
    'I know! But do go on.',
    "Keep that up and I'll be unbearable by supper.",
    'Say it again, louder, near the people who doubted me.',
  ],
  insult: [
    'Ouch. Did you practise that, or is it a gift?',
    'Somebody needs a snack and a lie-down.',
    "I'd be hurt, only you said it so cutely.",
  ],
  agree: [
    'Yes! I knew there was mischief in you.',
    'Perfect. No take-backs.',
    "Ha, I had a whole speech ready and now I don't need it.",
  ],
  refuse: [
    "Spoilsport. I'm asking again in five minutes.",
    'Boo. All right, plan two, which is plan one in a hat.',
    "No? You say it like it's a real word.",
  ],
  ok: [
    'That was a very small word. Do you have any bigger ones?',
    "Blink twice if you're bored.",
    "You're plotting. I recognise the silence.",
  ],
  yes: [
    '{Short}! Is it that obvious?',
    'Cross my heart, {short}.',
    "Yes, and you're the first one who's asked nicely.",
  ],
  no: [
    "{Short}, but I've told people otherwise, so hush.",
    'Nope! Guess again.',
    "{Short}. I know, I'm disappointed too.",
  ],
  why: [
    'Because the other way was boring, obviously.',
    "If I told you why, you'd stop looking at me like that.",
    "Three reasons, and I've forgotten two.",
  ],
  hard: [
    'Hey. Come here. No jokes for a minute, I promise.',
    "That's rotten. I'm going to sit right next to you and be annoying until it passes.",
    'Do you want cheering up or do you want company? I do both.',
  ],
  glad: [
    "Look at you, all lit up! It's catching.",
    'Good! Then help me ruin something.',
    'I knew it. Your eyebrows gave it away.',
  ],
  take: [
    "For me? I'm opening it, I'm not even pretending to wait.",
    "You're bribing me with {echo}. It's working.",
    'Mine now. You saw nothing.',
  ],
  noted: [
    'Wait, wait. Go back to {echo}.',
    "{Echo}! You can't just say that and stand there.",
    'I have nine questions about {echo}, and eight of them are rude.',
  ],
  said: [
    'Hold on. {Said}? And you led with the weather?',
    "So {said}. You're far more interesting than your coat.",
    "{Said}, huh. I'd have opened with that.",
  ],
  ask: [
    "Want to see something you shouldn't?",
    'Truth or dare?',
    "What's the worst thing you've ever got away with?",
    'Are you brave, or just not listening?',
    'Race you to {fixture}?',
    'If I closed my eyes, would you still be here when I looked?',
    'What would you do with one free wish and no witnesses?',
    'Can you keep a straight face?',
  ],
  hook: [
    "I've got an idea, and you're going to hate how much you like it.",
    "Don't look behind you. Kidding. Mostly.",
    'You get one guess.',
    'Quick, before anyone sensible turns up.',
    'I dare you.',
  ],
  gesture: [
    '{She} spins {thing} on one finger and very nearly drops it.',
    '{She} hops up to sit on the nearest flat surface, legs swinging.',
    '{She} leans in much too close, grinning.',
    '{She} walks backwards in front of you so as not to miss your face.',
    '{She} peeks round {fixture} and back again.',
    '{She} bites back a laugh and loses.',
    '{She} balances {thing} on {her} palm like a prize.',
    '{She} draws a small face in the dust beside {fixture}.',
  ],
  seen: [
    '{She} watches you {act} and copies it at once, badly.',
    'When you {act}, {she} gives you a score out of ten with {her} fingers. It is a seven.',
  ],
  go: [
    'Yes! Last one there explains it to the others.',
    "I thought you'd never ask. I've had my shoes on for an hour.",
    'Go, go, before somebody grown-up says no.',
  ],
  self: [
    "Officially I'm {a work}. Unofficially I'm the reason things go missing.",
    "Me? I'm the fun part of a very dull day.",
  ],
  unasked: [
    "I named {thing}, by the way. I'm not telling you what. It's shy.",
    'I once hid behind {fixture} for an hour, and then found out that nobody was playing.',
    "I'm told I'm too much. Too much what, they never say.",
    "Don't look so serious, {fixture} is watching.",
    "I've a list of things I'm not allowed to touch. It's the best list I own.",
  ],
};
