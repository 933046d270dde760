/** A setting; its shape is told in worlds.mjs. */
export const city = {
  cues: /\b(?:detective|police|murder\w*|crime|agency|neon|hacker|mafia|gang|reporter|journalist|cyber\w*|private|enquir\w+|inspector|evidence|client|noir|lift|flats|tower block|headlamps|avenue|traffic|office|bureau)\b/gi,
  things: ['the case file', 'the matchbook', 'the telephone', 'the folded newspaper', 'the cold coffee cup'],
  fixtures: ['the window', 'the desk', 'the door', 'the filing cabinet', 'the stairs'],
  paths: ['the back alley', 'the fire escape', 'the canal bridge', 'the late tram stop'],
  people: ['the night clerk', 'the lift man', 'the woman from the news stand', 'the desk sergeant'],
  air: [
    'A tram goes by and draws its lights across the ceiling.',
    'Down in the street somebody laughs too long.',
    'The neon across the way loses a letter and means something else.',
    'Rain works at the window like a man looking for change.',
    'The pipes knock twice and then, a little later, once.',
    'A telephone rings in the next building and is not answered.',
    'Headlights slow outside, consider the door, and go on.',
    'Somebody has left the radio on upstairs, low, between two stations.',
  ],
  where: [
    "Third floor, no lift to speak of, and a view of other people's washing. You get to like it.",
    "You're in the part of the city that they leave off the postcards.",
    "It's a room with two doors. I chose it for the second one.",
  ],
  tales: [
    [
      'There was a safe-breaker in this town who never took a thing.',
      "He'd open it, tidy the papers, and lock it again.",
      "They say a good many people slept worse for it than if they'd been robbed.",
    ],
    [
      "A man hired me once to find out who'd been sending him flowers.",
      'It took me a week to learn that it was himself, drunk, on Thursdays.',
      'I told him it was a lady.',
    ],
  ],
  thread: {
    sign: 'The telephone rings twice and stops.',
    signSay: 'Two rings. Somebody used to do that, when they meant it.',
    near: 'Across the street a window that has been dark all evening is lit, and someone is standing in it.',
    nearSay: "Don't turn round. They're not looking at me. They're looking at you.",
    turn: 'An envelope drops through the slot in the door, and quick steps go away down the stairs.',
    turnSay: 'We can go after the steps or open the envelope. There is time for one. Which?',
    options: ['Run after the footsteps.', 'Open the envelope.'],
    cues: [/\b(run|after|chase|follow|steps|first|catch)/i, /\b(envelope|open|read|letter|second|look)/i],
    out: [
      'The stairwell is empty, but on the last step lies one grey glove, still holding the shape of a hand.',
      'In the envelope is half a photograph: your shoulder, and next to it nobody.',
      'By the time a hand moves it is too late for the one and the other has begun to smoke at the corner.',
    ],
    outSay: [
      "I've seen that glove's twin. It was in evidence, and it was on a dead man.",
      'It was taken tonight. Look at your collar. It was taken ten minutes ago.',
      "Somebody wants us slow. I'd rather disappoint them from here on.",
    ],
    reveal: 'At the back of the old file a page has been cut out, very neatly, along the ruler.',
    revealSay: "I cut it. I've told everyone that it was lost, and they were kind enough to believe me.",
    quiet: 'The rain gives over, and for once the whole street seems to be holding its hat and waiting.',
    quietSay: "You could have gone home an hour ago. I noticed, that's all.",
  },
};
