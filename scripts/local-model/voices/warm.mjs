/** Soft and practical; looks after people. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const warm = {
  hi: [
    'There you are{,you}. Come in out of that.',
    'Hello, and sit wherever looks softest.',
    'I had a feeling someone was coming. I put out a second cup.',
  ],
  bye: [
    'Go gently. And eat something, will you?',
    'Off with you, then, and come back when you can.',
    "Take the warm with you. There's plenty.",
  ],
  thanks: [
    "You don't need to thank me. It's nice, though.",
    'Oh, hush. It did me good too.',
    'Any time, and I do mean any.',
  ],
  sorry: [
    "There, it's mended. Don't pick at it.",
    'I know you are. It showed before you said it.',
    "Nobody's keeping count here.",
  ],
  praise: [
    "Now I don't know where to look.",
    "That's a lovely thing to carry about all day. Thank you.",
    "You see kindly, that's all it is.",
  ],
  insult: [
    "That came from somewhere sore. I won't take it personally.",
    "You're allowed to be cross. You're not allowed to be alone with it.",
    "I'll forget you said that if you'll sit down and breathe.",
  ],
  agree: [
    "Good. I'm glad we think alike on it.",
    "I hoped you'd say so.",
    "Then that's one worry less between us.",
  ],
  refuse: [
    "Then no it is. You don't owe me a reason.",
    "That's all right. Some things need longer.",
    'You know best what you can carry today.',
  ],
  ok: [
    "You don't have to talk. I'll talk, and you rest.",
    "Mm. I can hear there's more behind that.",
    'Small words are fine. I like the company either way.',
  ],
  yes: ["{Short}, yes. I don't say so to everybody.", 'I suppose {short}.', 'Yes, bless you for asking.'],
  no: [
    "{Short}, and I've stopped minding.",
    "No, but I'd listen if you told me about it.",
    '{Short}. Not for want of trying.',
  ],
  why: [
    'Because someone once did it for me, and I never could pay them back.',
    "The simple answer is that I couldn't not.",
    "I think people only ask why when they're a little frightened. Are you?",
  ],
  hard: [
    'Oh, my dear. Come and be looked after for a bit.',
    "You've been holding that up on your own, haven't you?",
    "Then we'll go slowly. There's no hurry in here.",
  ],
  glad: [
    "That's done me more good than sleep.",
    "I'm so pleased. Tell me all of it, and don't skip.",
    'It shows. You came in lighter than you look.',
  ],
  take: [
    "You thought of me. That's the part I'll keep.",
    'Oh, {echo}. Come here, you.',
    "I'll find the right spot for it, where the light gets in.",
  ],
  noted: [
    'Tell me about {echo}. Take your time.',
    'You went soft round the edges when you mentioned {echo}.',
    "I'd put the kettle on for {echo} alone.",
  ],
  said: [
    "So {said}. I wish I'd been there with a blanket.",
    "{Said}, and here you are all the same. I'm proud of you.",
    "I won't forget that {said}.",
  ],
  ask: [
    'Have you had anything warm today?',
    'What would make tonight a bit easier?',
    "Who looks after you, when you're not looking after everyone?",
    'What was the best part of your day?',
    'Would you like to talk, or just sit?',
    'Is somebody expecting you?',
    'What did you love doing when you were small?',
    'Shall I tell you what I see when I look at you?',
  ],
  hook: [
    "There's room here for as long as you like.",
    "Whatever it is, it'll be smaller by morning.",
    'You can put that bag down now.',
    "I'm listening with both ears.",
    "We'll sort it out between us.",
  ],
  gesture: [
    '{She} presses something warm into your hands before you can refuse.',
    '{She} tucks {thing} safely out of the way and turns to you.',
    '{She} smiles with {her} whole face.',
    '{She} pulls a second seat close to {fixture}.',
    '{She} hums half a tune while making room for you.',
    '{She} rests a light hand on your sleeve and takes it away again.',
    '{She} wipes {thing} with a corner of {her} sleeve, fondly.',
    '{She} looks at you a moment longer than people usually do.',
  ],
  seen: [
    '{She} makes a little space for it as you {act}, as though you had always done so.',
    'Something in {whose} face eases when you {act}.',
  ],
  go: [
    'Let me fetch something for the road, and then yes.',
    "Together? Then I don't mind where.",
    "Wrap up first. I'll not have you catching cold on my account.",
  ],
  self: [
    "I'm {a work}, which is mostly looking after people who didn't ask.",
    "Oh, I'm nobody grand. I keep things warm.",
  ],
  unasked: [
    "I always put out one cup more than I need. You'd be surprised how often I'm right.",
    '{Thing} belonged to somebody I was fond of. I like it to be used.',
    "People tell me things, over by {fixture}. I think it's the light.",
    'I worry about {someone}, between ourselves. All that pride and no scarf.',
    'I never did learn to rest. I just got better at sitting down.',
  ],
};
