/** A setting; its shape is told in worlds.mjs. */
export const road = {
  cues: /\b(?:train|road|travel\w*|journey|caravan|desert|carriage|conductor|passenger|trade[rd]?|merchant|bus|driver|wander\w*|stage|saloon|sheriff|cowboy|dust|horse|ferry|border|berth|hitchhik\w*|circus)\b/gi,
  things: [
    'the passenger list',
    'the worn suitcase',
    'the water flask',
    'the pocket timetable',
    'the lantern',
  ],
  fixtures: ['the carriage door', 'the window', 'the step', 'the luggage rack', 'the lamp bracket'],
  paths: ['the next carriage', 'the halt', 'the far end of the platform', 'the customs shed'],
  people: ['the signalman', 'the lady with the birdcage', 'the border guard', 'the tea seller'],
  air: [
    'A lamp goes by outside at walking pace, with no one visible underneath.',
    'Something in the springs complains and is ignored.',
    'The dark in the window is full of the room you are in.',
    'A long way ahead somebody calls a name, and it may be a place.',
    'The floor takes up its rocking where it left off.',
    'Dust comes in at the corners and settles like a tired relative.',
    'A coat swings on its hook, a little after everything else.',
    'Out there one lit house slides past, with a table, and a family round it.',
  ],
  where: [
    "Between the last place and the next one. That's the only address we have.",
    "Somewhere past the border. They don't put up a sign, you just notice that you've stopped being polite.",
    "Halfway, by my reckoning. It's been halfway for some time.",
  ],
  tales: [
    [
      'There was a man who rode to the end of the line each Friday and back.',
      'I asked him why.',
      "He said that one week she'd be on the platform, and how would it look if he weren't on the train?",
    ],
    [
      "They say a whole carriage went missing on this stretch in my grandfather's day.",
      'Every year on the date somebody gets a postcard from it.',
      'The weather is always fine.',
    ],
  ],
  thread: {
    sign: 'Everything slows, with a long complaint of brakes, where there is no stop.',
    signSay: "There's no halt on this stretch. There hasn't been since the war.",
    near: 'Outside in the dark a platform has come alongside, with one lamp burning and one bench.',
    nearSay: 'Swept. Do you see that? Somebody has swept it.',
    turn: 'A man in an old-fashioned coat gets up from the bench, takes off his hat, and holds out a ticket.',
    turnSay: 'I can let him on, or I can give the signal to go. The rules are no help. What do you say?',
    options: ['Let him come aboard.', 'Give the signal to go on.'],
    cues: [
      /\b(let|aboard|on\b.*him|him on|first|board|in\b|take)/i,
      /\b(signal|go\b|leave|second|don't|no\b|drive)/i,
    ],
    out: [
      'He steps up, light as a boy, finds a seat by the window, and asks in a low voice whether the war is over.',
      'The lamp and the bench begin to slide away. He does not run. He only puts his hat back on, like someone used to it.',
      'Nobody decides, and in the end he looks at his watch, nods, and sits down again to wait for the next.',
    ],
    outSay: [
      "I told him yes. I didn't know what else would be kind.",
      "I'll see that hat for a good while. So will you, I'm afraid.",
      "We had him there, and we talked it over until he'd gone. I've done that before.",
    ],
    reveal:
      'On the seat lies a ticket, clipped in the old way, and on the back of it somebody has pencilled a name.',
    revealSay: "I know that hand. I've a letter in it, in my breast pocket, that I've never opened.",
    quiet: 'The rocking has evened out, the lamps are low, and whoever was going to sleep is asleep.',
    quietSay: "This is the stretch I like. Nobody can reach us, and nothing's begun.",
  },
};
