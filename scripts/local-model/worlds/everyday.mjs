/** A setting; its shape is told in worlds.mjs. */
export const everyday = {
  cues: /\b(?:school|student|class(?:room|mate)?|roommate|flat(?:mate)?|apartment|office|boss|band|college|university|teacher|friend|neighbou?r|gym|homework|phone|campus|teen\w*|girlfriend|boyfriend|coach|shift|hospital|nurse)\b/gi,
  things: ['the chipped mug', 'the phone', 'the spare key', 'the notebook', 'the old radio'],
  fixtures: ['the kitchen table', 'the sofa', 'the balcony door', 'the noticeboard', 'the window'],
  paths: ['the roof', 'the corner shop', 'the bus stop', 'the stairwell'],
  people: ['the caretaker', 'the girl from downstairs', 'the bus driver', 'the man with the dog'],
  air: [
    'The fridge shudders, as it does every time anybody is about to be honest.',
    'Somewhere in the building a washing machine begins to walk.',
    'A bus sighs at the stop and kneels for no one.',
    'Through the wall come eight bars of a song, started over, and over.',
    'The light in the hall clicks off because nobody has moved for so long.',
    'Someone goes by outside, telling a telephone that it is not about the money.',
    'A plane draws a slow white seam across the evening.',
    'The kettle ticks to itself, going cold.',
  ],
  where: [
    "It's just here. You know. The place where everyone ends up.",
    "You're looking at it. It's smaller than in the photographs, but so is everybody.",
    "Second door after the bins. It doesn't look like much until you've been sad in it once.",
  ],
  tales: [
    [
      'Someone once left a single shoe on our landing, quite a good one.',
      'For a month every person in the house tried it on when they thought they were alone.',
      'It fitted the postman.',
    ],
    [
      'I got on the wrong bus on purpose one time, to see what would happen.',
      'What happened was a beach.',
      "I've never found that bus again.",
    ],
  ],
  thread: {
    sign: 'A phone lights up, face down, and the light leaks round its edges.',
    signSay: "That's the fourth time today. No number, and nobody breathing.",
    near: 'The phone lights up again. This time there is a message, and it is only an address and a time.',
    nearSay:
      "It's ten streets off, and it's tonight. And I've been there before, which is the part I don't like.",
    turn: 'Somebody rings at the street door, three short rings, and then leans on it.',
    turnSay:
      'I can buzz them up, or we can go down the back and turn up at that address ourselves. You pick. I always pick wrong.',
    options: ['Buzz them up.', 'Go down the back way to the address.'],
    cues: [/\b(buzz|up\b|let|answer|open|first)/i, /\b(back|down|address|go|second|ourselves|leave)/i],
    out: [
      'It is a boy with a cardboard box, out of breath, who says that he was told not to shake it.',
      'The address is a launderette, bright and empty, and one of the machines is running with a single red scarf in it.',
      'The ringing stops. When the door is opened at last there is a cardboard box on the mat and wet footprints going away.',
    ],
    outSay: [
      'I know who packs things like that. String, and then tape over the string.',
      "That's my scarf. I lost it two years ago, on the worst day I've had.",
      "We dithered, and it came anyway. I suppose that's a kind of answer.",
    ],
    reveal: "At the bottom of it there is a folded page torn out of somebody's diary.",
    revealSay: "It's mine. It's the one page I ever tore out. I watched it burn, or I thought so.",
    quiet:
      'It is late enough for the street to be kind, and no one says anything for as long as it takes to drink something hot.',
    quietSay: "I don't usually let people stay past the interesting part.",
  },
};
