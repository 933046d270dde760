/** A setting; its shape is told in worlds.mjs. */
export const realm = {
  cues: /\b(?:kingdom|castle|knight|sword|dragon|king|queen|prince(?:ss)?|quest|guild|dungeon|elf|elven|orc|tavern|throne|court|armou?r|lord|lady|royal|crown|siege|adventurer|goblin|dwarf|spell|stairwell|landing|locksmith|torch|cellar|hires?)\b/gi,
  things: ['the sealed letter', 'the old key', 'the lantern', 'the dented shield', 'the map'],
  fixtures: ['the hearth', 'the gate', 'the long table', 'the stairs', 'the arrow slit'],
  paths: ['the postern', 'the lower gallery', 'the old road', 'the armoury passage'],
  people: ['the steward', 'the gate sergeant', 'the chaplain', "the queen's messenger"],
  air: [
    'A torch burns down to the wire and spits.',
    'On the wall a banner stirs, though there is no window near it.',
    'A dog somewhere below barks once and is told not to.',
    'The stone gives back the cold it has been saving since the last reign.',
    'A door closes two floors down, and the sound climbs the stairs to you.',
    'Rain runs from the mouths of the gargoyles in long untidy strings.',
    'A horse stamps in the yard, saddled, with nobody beside it.',
    'Wax has run down over an old coat of arms and improved it.',
  ],
  where: [
    "These walls were put up against an enemy nobody remembers. They've had to make do with the weather.",
    "You're inside the second gate. There are people who've waited all their lives to stand there.",
    "It looks grander from the road. From in here it's mostly stairs.",
  ],
  tales: [
    [
      'There was a king who wished to know what was said of him, and went about dressed as a beggar.',
      'He heard nothing bad for a year.',
      'Then he learned to walk like one.',
    ],
    [
      'They tell of a knight who was sent to kill a dragon and stayed for the winter.',
      'In spring two of them came down to the village, and nobody asked which was which.',
    ],
  ],
  thread: {
    sign: 'Far off a horn is blown, three notes, the last of them cut short.',
    signSay: 'Three notes is for a friend at the gate. I never heard it stop in the middle.',
    near: 'Hooves ring on the stones outside, one horse, ridden hard, and then nothing.',
    nearSay: "A rider with no second horse behind. That's bad news or very good.",
    turn: 'Someone strikes the door with an open hand, and a sealed letter is pushed beneath it.',
    turnSay:
      "It's not addressed to me. We can break the seal, or we can open the door. I'd hear your choice.",
    options: ['Break the seal and read the letter.', 'Open the door.'],
    cues: [/\b(seal|letter|read|break|first)/i, /\b(door|open it|look|outside|second|who)/i],
    out: [
      "The wax cracks. Inside there is one line, in a child's careful hand, and no name.",
      'The door swings in on a riderless horse, steaming, with a second letter tied to the saddle.',
      'The letter lies there, and slowly, as though it grew tired of waiting, its seal softens and lets go.',
    ],
    outSay: [
      'It says: they will ask you to choose, and you must not. I wish it said who.',
      "It came all that way without a hand on the reins. I'd call that loyal.",
      "I've seen a good many letters. I never saw one that wanted to be read.",
    ],
    reveal: "Under the wax the crest is not the king's, though it has been made to look so.",
    revealSay: "I've seen that crest once before, the night I swore to forget it.",
    quiet: 'The fire sinks to red, and the great room draws in until it is the size of two people.',
    quietSay: 'They sing about the battles. Nobody sings about this part, when you sit and are not yet dead.',
  },
};
