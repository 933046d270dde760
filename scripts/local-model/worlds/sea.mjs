/** A setting; its shape is told in worlds.mjs. */
export const sea = {
  cues: /\b(?:sea|ocean|ship|boat|harbou?r|sailor|lighthouse|tide|island|pirate|captain|deck|fisher\w*|wave|mermaid|siren|coast|port|submarine|whale|net)\b/gi,
  things: ['the logbook', 'the storm lamp', 'the coil of rope', 'the brass bell', 'the tin mug'],
  fixtures: ['the rail', 'the chart table', 'the stove', 'the window', 'the steps'],
  paths: ['the landing', 'the far side of the rocks', 'the slip', 'the water stairs'],
  people: ['the harbour pilot', 'the ferryman', 'the net-mender', 'the customs officer'],
  air: [
    'Somewhere below, water finds a gap in the stones and breathes through it.',
    'A gull lands, thinks better of it, and is gone.',
    'The wind drops for the space of a sentence and then comes back from another side.',
    'Salt has dried in small white maps along the sill.',
    'A rope knocks against wood, twice, and is still.',
    'Far out, one green light goes up and down and does not come nearer.',
    'The smell of tar and wet wool comes in under the door.',
    "The swell lifts everything a finger's width and sets it down.",
  ],
  where: [
    "This is as far as the land goes. After this it's all weather.",
    "You're at the edge of the chart, where they used to draw the fish.",
    "It's a small place with a great deal of water round it. You get used to the sound; then you can't sleep without.",
  ],
  tales: [
    [
      'There was a pilot here who could bring in any ship blindfold.',
      'One night they tried him, for a bet, with the blindfold on.',
      'He brought in a ship that had sunk eleven years before, and it has never been settled who pays.',
    ],
    [
      'A woman once sewed a map of this coast into the lining of a coat, and sold the coat.',
      'She spent the rest of her life buying coats.',
    ],
  ],
  thread: {
    sign: 'Far out past the point a bell begins to ring, slow and uneven.',
    signSay: 'That bell marks no channel. I know every one of them.',
    near: 'The bell sounds again, much nearer, and a pale light swings once across the water.',
    nearSay: "Somebody's steering by a light that isn't ours.",
    turn: 'A small boat slides out of the dark and holds off just beyond the rocks, waiting.',
    turnSay: 'We can signal it in, or put out the light and let it go by. Which would you do?',
    options: ['Signal the boat in.', 'Put out the light and let it pass.'],
    cues: [
      /\b(signal|in\b|help|light it|wave|call|rescue|first|welcome|let them)/i,
      /\b(put (?:it )?out|pass|dark|hide|quiet|second|let it go|wait)/i,
    ],
    out: [
      'The boat turns at the signal and comes in on the swell, with one passenger wrapped in sailcloth.',
      'The dark closes over everything, and the oars go past so near that you can hear them drip.',
      'The boat does not wait to be asked; it slips in under the stones by itself, with nobody at the oars.',
    ],
    outSay: [
      "You made the call and I'd have made the same. I only hope they know it.",
      "We'll never be thanked for that. Perhaps that's how you can tell.",
      "So it's been decided for us. It often is, out here.",
    ],
    reveal: 'On the wet stones lies a flat tin box with initials scratched into the lid.',
    revealSay: "I know those letters. I had hoped I'd never read them again.",
    quiet: 'The tide turns, and for a while there is only the long breath of the water.',
    quietSay: "Nobody's sat up with me like this in years. I'd forgotten it makes the night shorter.",
  },
};
