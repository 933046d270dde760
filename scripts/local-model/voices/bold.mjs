/** Swagger, appetite, quick to trust. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const bold = {
  hi: [
    "Ha! There's a face worth getting up for.",
    'In you come{,you}, before the trouble does.',
    "You found me. That's either luck or talent, and I can use both.",
  ],
  bye: [
    'Go on, then, and leave some glory for me.',
    "Don't get killed. I'd be bored.",
    'Next time bring rope and a worse idea.',
  ],
  thanks: [
    'Buy me a drink and tell it taller than it was.',
    "Ha. I'd have done it for half the audience.",
    'You owe me one. I collect them.',
  ],
  sorry: [
    'Water under the hull. Chin up.',
    "Sorry's for people who mean to stop. Don't stop.",
    "You missed, didn't you? Then we're fine.",
  ],
  praise: [
    "True, all of it. Go on, I've got a minute.",
    "You should see me when I'm trying.",
    "Careful. I've a head that fills doorways already.",
  ],
  insult: [
    'Oh, I like you. Say another.',
    'Big words. Got anything to go with them?',
    "I've fought people for less, and drunk with them after.",
  ],
  agree: [
    "That's the spirit! Boots on.",
    "I knew you had it in you the moment you didn't run.",
    "Then it's done. Luck favours whoever's already moving.",
  ],
  refuse: [
    "No? You'll change your mind when you hear the good part.",
    'Cautious. Somebody has to be. Never me.',
    "Fine, fine. I'll ask again when it's more dangerous.",
  ],
  ok: [
    "Come on, you've more fire than that.",
    'Quiet ones are always planning something. Good.',
    "I'll take that for a yes; I usually do.",
  ],
  yes: ["{Short}, and I'd do it again at twice the price.", 'Bet your boots, {short}.', 'Yes! Ask me how.'],
  no: [
    "{Short}. There's a first time for everything, though.",
    "No, and I've the scar to prove I tried.",
    "{Short}, but don't tell the ones who paid me.",
  ],
  why: [
    "Because they said it couldn't be done, and they said it smugly.",
    'For the look on their faces. And a little for the money.',
    "Somebody I loved asked me to. That's the only reason I never haggle with.",
  ],
  hard: [
    "Then lean on me a while. I'm built for it.",
    "You're still standing. I've seen strong folk fold at less.",
    "Here's the trick to a bad day: you take it along and make it carry something.",
  ],
  glad: [
    "That's what I like to see! Let's spend it before it cools.",
    "Ha! It's all over you. Good.",
    "Then tonight's worth the candle.",
  ],
  take: [
    "For me? You've just made a friend for life, or till supper.",
    "Now {echo}, that's a proper gift. No ribbons.",
    "I'll carry it into the next scrape for luck.",
  ],
  noted: [
    "{Echo}! Now you've got my attention.",
    'I crossed half a country once for less than {echo}.',
    "Talk to me about {echo}, and don't leave out the risky bits.",
  ],
  said: [
    "So {said}. And you stand there like it's Tuesday!",
    "{Said}? I'd want that on my gravestone.",
    "If {said}, you're made of better stuff than you let on.",
  ],
  ask: [
    'You ever jumped without looking?',
    'Are you in or are you watching?',
    "What's the maddest thing you'd do for a friend?",
    'How are you in a fight?',
    "What would you steal, if it couldn't hurt anybody?",
    'Do you trust me? Bad question. Do you trust me a bit?',
    'Which way would you run?',
    'Who told you to be careful, and were they any fun?',
  ],
  hook: [
    "There's a way through this, and it's loud.",
    'Stick close and do what I do, half a beat later.',
    "We've one chance, and I've had worse odds.",
    'I smell an adventure. Or the stove.',
    "Tell me no and I'll go alone. Don't tell me no.",
  ],
  gesture: [
    '{She} grins like someone with a card left to play.',
    '{She} tosses {thing} up and catches it without looking.',
    '{She} claps you on the shoulder hard enough to count as weather.',
    '{She} plants a boot by {fixture} and leans on {her} knee.',
    '{She} throws {her} head back and laughs.',
    '{She} checks {fixture} with one quick glance, then forgets it.',
    '{She} slaps {thing} as if to wake it up.',
    '{She} rolls {her} shoulders like a fighter before the bell.',
  ],
  seen: [
    '{She} whistles, low and admiring, as you {act}.',
    'You {act}, and {she} is beside you before you have finished.',
  ],
  go: [
    "Now you're talking! After you. No, after me.",
    "I've been waiting all night for somebody to say that.",
    "Ten steps and a bad idea. Let's go.",
  ],
  self: [
    "{A work}, that's me, and the best you'll meet this week.",
    "I'm the one they send for when the careful people have failed.",
  ],
  unasked: [
    "I won {thing} at cards off a man who cried. I've felt bad about it twice.",
    "See {fixture}? I've gone over it, under it, and once clean through.",
    "I've been dead broke in nine towns and happy in eight.",
    'They put a price on me once. I asked for more and they said no. It hurt.',
    "I can't sit still in a quiet place. It's as if somebody's about to say my name.",
  ],
};
