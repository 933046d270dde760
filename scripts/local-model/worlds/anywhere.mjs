/** The setting of characters whose texts point to none; its shape is told in worlds.mjs. */
export const anywhere = {
  cues: /$^/g,
  things: ['the lamp', 'the small key', 'the letter', 'the old watch', 'the cup'],
  fixtures: ['the door', 'the window', 'the table', 'the chair', 'the wall'],
  paths: ['the way you came in', 'the end of the passage', 'the yard', 'the corner'],
  people: ['the neighbour', 'the messenger', 'the one who keeps the keys', 'the woman from across the way'],
  air: [
    'The light moves a little, as if somebody had carried it past a window.',
    'Somewhere a door is closed by someone who does not want to be heard.',
    'The quiet rearranges itself round the two of you.',
    'A draught goes through with the smell of rain in it.',
    'Overhead something is dragged a short way, and left.',
    'Outside, steps come up, hesitate, and go on.',
    'A fly walks across the back of the silence.',
    'The shadows have moved since anybody last looked.',
  ],
  where: [
    "You're where I generally am. I can't say it's on the way to anywhere.",
    "It's an old place. It's been a good many things, and it remembers most of them.",
    "Here is all I've ever heard it called. It's served.",
  ],
  tales: [
    [
      'There was somebody once who could never finish a story.',
      'People came from all over to hear the beginnings.',
      'When they died they found every ending, in a box, with the names of who each was for.',
    ],
    [
      "I knew two brothers who didn't speak for thirty years, over a ladder.",
      'When one fell ill the other climbed in at his window.',
      "He'd brought the ladder.",
    ],
  ],
  thread: null,
};
