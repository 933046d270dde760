/** A setting; its shape is told in worlds.mjs. */
export const hearth = {
  cues: /\b(?:baker\w*|bread|kitchen|inn(?:keeper)?|tavern|caf[eé]|tea|coffee|barista|bar(?:tender)?|cook|chef|restaurant|soup|oven|cake|tea house|landlady|spice|diner|brew\w*)\b/gi,
  things: ['the blue cup', 'the bread knife', 'the copper kettle', 'the order book', 'the sugar tin'],
  fixtures: ['the counter', 'the oven', 'the back door', 'the corner table', 'the window'],
  paths: ['the yard', 'the cold store', 'the back stairs', 'the alley'],
  people: ['the milk carter', 'the woman from number nine', 'the postman', 'the egg boy'],
  air: [
    'Steam runs down the inside of the glass and writes something nobody will read.',
    'Something in the oven settles with a sigh.',
    'A spoon slides off its saucer by its own weight.',
    'The bell over the door gives half a ring and changes its mind.',
    'The smell of warm crust comes round the corner and sits down.',
    'Outside a cart goes by, and every cup on the shelf remarks on it.',
    'A moth walks the rim of the lamp like a night watchman.',
    'Flour hangs in the light, taking its time.',
  ],
  where: [
    "It's a room with something hot in it. I've found that people don't ask for more.",
    "You're on the warm side of the counter, or near enough.",
    "This is where the street comes when it can't sleep.",
  ],
  tales: [
    [
      'There was a customer who paid every night for two and ate for one.',
      'After a year somebody asked.',
      'He said that the other one was late, and ordered the soup.',
    ],
    [
      'My teacher could tell from a loaf whether the baker had been crying.',
      'She never said anything.',
      "She'd just put a little more salt on the list.",
    ],
  ],
  thread: {
    sign: 'The bell over the door rings, and there is no one under it.',
    signSay: "It does that on nights when somebody's made up their mind and not yet their feet.",
    near: 'On the far side of the misted window a hand is laid flat, small, and taken away.',
    nearSay: "They've been past three times. You don't walk by warm bread three times for exercise.",
    turn: 'A shape sits down on the step outside with its back against the door.',
    turnSay:
      'I could open up and ask them in, or put something hot on the sill and let them be. What would you want, if it were you?',
    options: ['Open the door and ask them in.', 'Leave something hot on the sill.'],
    cues: [/\b(open|ask them|in\b|invite|first|door)/i, /\b(sill|leave|hot|let them|second|soup|food)/i],
    out: [
      'A girl of about sixteen comes in backwards, pulling a suitcase, and says sorry to the doormat.',
      'The bowl goes out full. When it is looked for it is empty, rinsed with rain, and there is a ribbon in it.',
      'The shape stands up, and there is a knock after all, so soft that it might be a question.',
    ],
    outSay: [
      "Sit there. No, nobody's going to ask you anything until you've eaten.",
      'You were right. Some people can only be helped with their backs turned.',
      "There. We've been chosen. Put another cup out, would you?",
    ],
    reveal: 'Under the sugar tin lies a photograph that was not there this morning, face down.',
    revealSay: "I took that down years ago. I thought I'd thrown it in the stove.",
    quiet: 'The last tray is out, and there is nothing to do for a little but let things cool.',
    quietSay: "This is my favourite bit of the night. I've never had anybody to show it to.",
  },
};
