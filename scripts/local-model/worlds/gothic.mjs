/** A setting; its shape is told in worlds.mjs. */
export const gothic = {
  cues: /\b(?:ghosts?|haunt\w*|vampire|manor|mansion|grave\w*|cemetery|undead|curse[ds]?|crypt|necromanc\w*|demon|coffin|spirit|phantom|hotel|séance|raven|blood|werewolf|died|dead)\b/gi,
  things: [
    'the silver candlestick',
    "the visitors' book",
    'the locked music box',
    'the black umbrella',
    'the little portrait',
  ],
  fixtures: ['the staircase', 'the tall mirror', 'the cold fireplace', 'the piano', 'the long window'],
  paths: ['the east wing', 'the chapel', "the servants' stair", 'the walled walk'],
  people: ['the housekeeper', 'the family doctor', 'the sexton', 'the last gardener'],
  air: [
    'Upstairs a floorboard speaks, and the next one answers.',
    'The candle leans over, though nobody has passed it.',
    'A curtain fills slowly, like something taking a breath before a confession.',
    'Behind the wall there is a sound of small, busy, unimportant feet.',
    'For a moment the mirror is slower than the room.',
    'One key of the piano goes down without a note.',
    'A cold place about the size of a person crosses the carpet.',
    'The clock on the landing stops to listen.',
  ],
  where: [
    "It's a house, if you count only the parts that stay where they are.",
    "You're in the west wing. There's an east one, but it depends on the night.",
    "They call it haunted. I think that it's merely well attended.",
  ],
  tales: [
    [
      'A lady here laid a place for her dead husband each evening for twenty years.',
      'On the last evening she came down late and found hers laid as well.',
    ],
    [
      'They once bricked up a door in the upper corridor because of the knocking.',
      'The knocking stopped.',
      "It was a week before somebody thought to ask which side they'd all been standing on.",
    ],
  ],
  thread: {
    sign: 'Somewhere above, a music box plays four notes and runs down.',
    signSay: 'It has had no spring in it since before my time. I took it out myself.',
    near: 'The four notes come again, and they are on this floor.',
    nearSay: "It never comes below the landing. Not while there's a guest.",
    turn: 'At the end of the passage a door stands open that has always been locked, with a light behind it like late afternoon.',
    turnSay:
      'It will close when it gets bored. We go in, or we shut it ourselves and turn the key. Quickly, please.',
    options: ['Go through the open door.', 'Shut it and turn the key.'],
    cues: [/\b(go|in\b|through|enter|look|first|open)/i, /\b(shut|close|key|lock|second|no\b)/i],
    out: [
      'Inside it is a summer, and a table laid for four, and three of the chairs have just been pushed back.',
      'The key turns with a sound like a sob. After a moment, from inside, somebody politely tries the handle.',
      'The door grows tired of both of you and swings to, gently, leaving one warm petal on the boards.',
    ],
    outSay: [
      'I remember that tablecloth. I remember who spilled the wine.',
      "You did right. I'd have gone in, and I'd not have come out.",
      "It only opens for somebody who's missing someone. I'd thought that was me.",
    ],
    reveal: "In the visitors' book, under tonight, there is a second name below yours, in violet ink.",
    revealSay: 'I wrote that the night I came. It fades, and it comes back when somebody is kind to me.',
    quiet:
      'The house has settled. Nothing walks, nothing knocks, and the candle burns as straight as a ruled line.',
    quietSay: "They don't know what to do with themselves when someone's simply good company. Nor do I.",
  },
};
