/** A setting; its shape is told in worlds.mjs. */
export const study = {
  cues: /\b(?:library|librarian|book\w*|archive\w*|scholar|wizard|magic(?:al)?|academy|alchem\w+|spell\w*|observatory|astronom\w+|telescope|museum|clock\w*|inventor|workshop|professor|scroll|potion|apothecary|witch|archivist|crossword|manuscript)\b/gi,
  things: [
    'the open ledger',
    'the magnifying glass',
    'the ink bottle',
    'the small brass scale',
    'the unlabelled jar',
  ],
  fixtures: ['the desk', 'the tall shelf', 'the ladder', 'the window', 'the locked cabinet'],
  paths: ['the back stacks', 'the reading room', 'the spiral stair', 'the cellar store'],
  people: ['the night porter', 'the bookbinder', 'the old examiner', 'the courier'],
  air: [
    'Dust turns over in the lamplight like something thinking.',
    'One clock strikes, and another, after a pause, corrects it.',
    'A page lifts by itself and lies down again.',
    'The ladder creaks on its rail though nobody is on it.',
    'From behind the shelves comes a sound like a single marble rolling.',
    'The lamp draws a yellow circle, and nothing outside it seems quite sure of its shape.',
    'There is a smell of glue, apples and old rain.',
    'Something small and dry scuttles along behind the skirting.',
  ],
  where: [
    "It's where things are kept until somebody knows what they're for.",
    "You're among the shelves. They say you can find anything here, provided you're looking for something else.",
    "People call it a workroom. I'd call it an argument that has been going on for some years.",
  ],
  tales: [
    [
      'A man once asked here for a book that would tell him how he died.',
      'It was out on loan.',
      "He's still waiting, and he says he's never felt better.",
    ],
    [
      'There was an apprentice who copied out one page a day for forty years.',
      'On the last day he read it through, and found that it was a letter to him.',
    ],
  ],
  thread: {
    sign: 'Deep among the shelves something falls, lightly, as if it had been set down.',
    signSay: "That's the third this week. I never find what fell.",
    near: 'Between two shelves a thin line of light appears where there is no lamp.',
    nearSay: "There's a door there on the old plans. On the old plans only.",
    turn: 'The line of light widens to the breadth of a hand, and somebody on the other side turns a page.',
    turnSay:
      'We can go through, or I can speak to whoever it is from here. You decide; I have been deciding wrongly for years.',
    options: ['Go through the gap.', 'Speak from this side.'],
    cues: [/\b(go|through|enter|walk|look|first|in\b)/i, /\b(speak|talk|call|ask|here|second|say|stay)/i],
    out: [
      'The gap is just wide enough. Beyond is a desk like this one, with the lamp lit and the chair still warm.',
      'At the first word the page stops turning, and a voice reads out, quite calmly, the sentence that was just spoken.',
      'The light folds itself away, and a single sheet slides out beneath where it was.',
    ],
    outSay: [
      "It's my handwriting on that page. I have not written it yet.",
      'It answered. In all these years I never thought of saying anything.',
      "It leaves something each time, as a cat does. I've never dared to keep one.",
    ],
    reveal: 'The sheet is a list of names in faded ink, and the last of them is still wet.',
    revealSay: "Mine is the one above it. I'd hoped you wouldn't look so closely.",
    quiet: 'For once all the clocks agree, and it is late, and nothing at all is due.',
    quietSay:
      "I came here for the quiet, and found that quiet isn't the same as company. I hadn't compared them until now.",
  },
};
