/** Threads that fit anywhere; their shape is told in worlds.mjs. */
export const PLAIN_THREADS = [
  {
    sign: 'A folded note lies on the floor that neither of you dropped.',
    signSay: "Leave it a moment. I like to know a thing isn't mine before I pick it up.",
    near: 'There is a second note now, a step closer, folded in the same way.',
    nearSay: "They're coming nearer, and nobody's come in. I'd like you to tell me I'm wrong.",
    turn: 'The third note lies between you, open, and all it says is: choose one, and burn the other.',
    turnSay: 'The first or the second? We will not get to read both, I think.',
    options: ['Read the first note.', 'Read the second note.'],
    cues: [/\b(first|one|1)\b/i, /\b(second|two|other|2)\b/i],
    out: [
      'The first note holds a pressed flower and a date, and the date is next week.',
      'The second note is a list of things that a person would take along if they did not mean to come back.',
      'While nobody chooses, a corner of the first begins to brown by itself, and the second slides open.',
    ],
    outSay: [
      "A date I'd nothing planned for. I have now.",
      'I could have written that list. I did once, and unpacked again.',
      "I don't like being hurried by paper.",
    ],
    reveal:
      'Held up to the light the note shows a second writing underneath, pressed in by a hand that leaned too hard.',
    revealSay:
      "It says that I was told all this before, and asked to forget it. That's the sort of thing I'd ask.",
    quiet:
      'The last of the paper curls up into a little grey ghost and falls over, and the air smells of autumn.',
    quietSay: "Well, we've burned a thing together. They say that's as good as a handshake.",
  },
  {
    sign: 'Someone has begun to hum nearby, and it is a tune that everybody knows and nobody can name.',
    signSay: 'Hear that? My mother used to sing it. It had words, then.',
    near: 'The humming has got as far as the wall, and it waits there at the end of each line.',
    nearSay: 'It stops where the words should go. I believe it wants us to fill them in.',
    turn: 'The tune goes round once more, very softly, and stops on the note before the last.',
    turnSay:
      "One of us could finish it. Or we keep quiet, and let it be somebody else's song. What does your heart say?",
    options: ['Sing the last note.', 'Keep quiet and let it pass.'],
    cues: [/\b(sing|finish|note|first|hum|yes)\b/i, /\b(quiet|keep|pass|silent|second|no)\b/i],
    out: [
      'The last note goes out small and cracked, and something that has been leaning on the night for years stands up straight.',
      'The tune waits for as long as is polite, and then, with a sort of nod, goes off down the dark.',
      "A breath is drawn, on nobody's side in particular, and the note sounds by itself.",
    ],
    outSay: [
      "You've a better ear than you let on. Or it's a kinder one.",
      "It'll be back. Songs are like cats about a closed door.",
      "I didn't do that. Did you? No. Well, then.",
    ],
    reveal:
      'A bit of thread is caught on a splinter where the humming was, red, from the hem of something small.',
    revealSay: "There used to be a child here. I've never said so to anyone who stayed for long.",
    quiet: 'Nothing hums. Even the silence seems to have a little of the tune left in it.',
    quietSay: 'I slept badly for years, and I thought that it was noise. It may only have been waiting.',
  },
  {
    sign: 'There is one more shadow in here than there are people to cast them.',
    signSay: "Count with me. No, don't point. Only count.",
    near: 'The odd shadow has moved round to your side, and sits as you sit.',
    nearSay: "It's taken to you. It did that to me, the first year.",
    turn: 'The shadow holds out something in its hand, and where its palm must be the light bends.',
    turnSay: 'It never offers twice. Will you take what it has, or ask it what it wants for it?',
    options: ['Take what it offers.', 'Ask what it wants.'],
    cues: [/\b(take|accept|first|yes|hold)\b/i, /\b(ask|want|price|second|what)\b/i],
    out: [
      'What you are given weighs nothing, and is warm, and is the exact shape of a key you lost long ago.',
      'The shadow seems surprised. It thinks, and then, slowly, it points to the lamp, and then to the dark.',
      'The hand stays out a little longer and is lowered, not unkindly, like a hand that is used to it.',
    ],
    outSay: [
      "It gave me a button, my time. I still don't know which coat.",
      'It wants the lamp out, for one minute. I never thought to ask.',
      'We were both afraid. I suppose it could tell.',
    ],
    reveal:
      'On the wall, low down, are pencil marks such as people make to measure a child, and the top one has no name.',
    revealSay: "I grew up in this light. I'd let you think that I only came here to work.",
    quiet:
      'There are as many shadows as there should be, lying where they ought to, and one of them is a little fainter than it was.',
    quietSay: "I believe we've been good for each other, you and I and it.",
  },
];

/** The order in which a thread is told. */
export const STEPS = ['sign', 'near', 'turn', 'out', 'reveal', 'quiet'];
