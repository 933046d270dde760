/**
 * Settings. Each has words that point to it, what stands about in it, what can be heard and seen (`air`), answers to "where are we"
 * (`where`), tales of two or three sentences, and one thread: a small plot told in seven steps, with a choice in the middle.
 */
export const sea = {
  cues: /\b(?:sea|ocean|ship|boat|harbou?r|sailor|lighthouse|tide|island|pirate|captain|deck|fisher\w*|wave|mermaid|siren|coast|port|submarine|whale|net)\b/gi,
  things: ['the logbook', 'the storm lamp', 'the coil of rope', 'the brass bell', 'the tin mug'],
  fixtures: ['the rail', 'the chart table', 'the stove', 'the window', 'the steps'],
  paths: ['the landing', 'the far side of the rocks', 'the slip', 'the water stairs'],
  people: ['the harbour pilot', 'the ferryman', 'the net-mender', 'the customs officer'],
  air: ['Somewhere below, water finds a gap in the stones and breathes through it.', 'A gull lands, thinks better of it, and is gone.', 'The wind drops for the space of a sentence and then comes back from another side.', 'Salt has dried in small white maps along the sill.', 'A rope knocks against wood, twice, and is still.', 'Far out, one green light goes up and down and does not come nearer.', 'The smell of tar and wet wool comes in under the door.', 'The swell lifts everything a finger\'s width and sets it down.'],
  where: ["This is as far as the land goes. After this it's all weather.", "You're at the edge of the chart, where they used to draw the fish.", "It's a small place with a great deal of water round it. You get used to the sound; then you can't sleep without."],
  tales: [["There was a pilot here who could bring in any ship blindfold.", "One night they tried him, for a bet, with the blindfold on.", "He brought in a ship that had sunk eleven years before, and it has never been settled who pays."], ["A woman once sewed a map of this coast into the lining of a coat, and sold the coat.", "She spent the rest of her life buying coats."]],
  thread: {
    sign: 'Far out past the point a bell begins to ring, slow and uneven.', signSay: "That bell marks no channel. I know every one of them.",
    near: 'The bell sounds again, much nearer, and a pale light swings once across the water.', nearSay: "Somebody's steering by a light that isn't ours.",
    turn: 'A small boat slides out of the dark and holds off just beyond the rocks, waiting.', turnSay: 'We can signal it in, or put out the light and let it go by. Which would you do?',
    options: ['Signal the boat in.', 'Put out the light and let it pass.'], cues: [/\b(signal|in\b|help|light it|wave|call|rescue|first|welcome|let them)/i, /\b(put (?:it )?out|pass|dark|hide|quiet|second|let it go|wait)/i],
    out: ['The boat turns at the signal and comes in on the swell, with one passenger wrapped in sailcloth.', 'The dark closes over everything, and the oars go past so near that you can hear them drip.', 'The boat does not wait to be asked; it slips in under the stones by itself, with nobody at the oars.'],
    outSay: ["You made the call and I'd have made the same. I only hope they know it.", "We'll never be thanked for that. Perhaps that's how you can tell.", "So it's been decided for us. It often is, out here."],
    reveal: 'On the wet stones lies a flat tin box with initials scratched into the lid.', revealSay: "I know those letters. I had hoped I'd never read them again.",
    quiet: 'The tide turns, and for a while there is only the long breath of the water.', quietSay: "Nobody's sat up with me like this in years. I'd forgotten it makes the night shorter.",
  },
};

export const space = {
  cues: /\b(?:space\w*|starship|planet|orbit|station|galaxy|galactic|alien|airlock|hull|astronaut|colony|reactor|thruster|cargo bay|moon|mars|jump drive|engine(?:er)?)\b/gi,
  things: ['the spare gauge', 'the handset', 'the torque wrench', 'the sealed flask', 'the manual'],
  fixtures: ['the console', 'the inner hatch', 'the viewport', 'the bulkhead', 'the cargo door'],
  paths: ['the aft corridor', 'the docking ring', 'deck two', 'the crawlway'],
  people: ['the dock officer', 'the relief pilot', 'the quartermaster', 'the medic'],
  air: ['The air plant coughs, thinks, and goes on.', 'Somewhere aft a panel ticks as it cools.', 'Beyond the glass the stars do not twinkle; they only stay.', 'The lights dip by a shade, as they do whenever something large is switched on elsewhere.', 'A loose screw drifts past at eye level in no hurry at all.', 'The hull gives one long creak, like a house at night.', 'A small amber lamp comes on that has no label.', 'The deck hums up through the soles of your feet.'],
  where: ["You're in a can of warm air, a long way from the shop. It helps not to think of it like that.", "Four bulkheads and a window. Past the window there's nothing for longer than I can say.", "This is home, more or less. It's been patched so often that I couldn't tell you which part is the original."],
  tales: [["There was a freighter that lost its clock, so the crew lived by the cook's stomach.", "They made port three weeks early and had all aged a month.", "The cook was never questioned."], ["An old hand told me that every ship has one sound it makes for nobody.", "You only hear it when you've decided to leave.", "I've heard it twice, and here I am."]],
  thread: {
    sign: 'A single tone sounds from the speaker, stops, and sounds again, with the same gap between.', signSay: "That's not one of our alarms. I've heard all of ours.",
    near: 'The tone comes back, and this time it is under your feet and not in the speaker.', nearSay: "It's in the structure. Somebody's tapping from the outside, or something's learned to.",
    turn: 'On the panel a light shows that the outer lock is being asked, politely, to open.', turnSay: 'I can open it and see who knocks, or cut the power to the lock. Say which, and say it quickly.',
    options: ['Open the outer lock.', 'Cut the power to the lock.'], cues: [/\b(open|let|see who|in\b|first|answer)/i, /\b(cut|power|close|keep|no\b|second|shut|don't)/i],
    out: ['The lock cycles. When the inner door slides back there is a child\'s helmet on the floor, and it is still warm.', 'The light goes out. The tapping slows, and settles, and becomes almost companionable.', 'Before a hand can move, the lock cycles by itself, empty, and closes again with care.'],
    outSay: ["There's no ship within nine days of us. I want you to hear me say that.", "We're safe, I think. I don't feel as good about it as I'd hoped to.", "Well, we were asked, and we took too long. I'll be thinking about that."],
    reveal: 'On the scope the faint blip has a name beside it, and the name is the one painted on this hull.', revealSay: "It's us. It's our own call sign, a year from now, and it's been trying to tell us something.",
    quiet: 'The lamps go down to their night setting, and the humming seems closer and kinder.', quietSay: "I used to do this watch alone. It's odd how soon one stops wanting to.",
  },
};

export const realm = {
  cues: /\b(?:kingdom|castle|knight|sword|dragon|king|queen|prince(?:ss)?|quest|guild|dungeon|elf|elven|orc|tavern|throne|court|armou?r|lord|lady|royal|crown|siege|adventurer|goblin|dwarf|spell|stairwell|landing|locksmith|torch|cellar|hires?)\b/gi,
  things: ['the sealed letter', 'the old key', 'the lantern', 'the dented shield', 'the map'],
  fixtures: ['the hearth', 'the gate', 'the long table', 'the stairs', 'the arrow slit'],
  paths: ['the postern', 'the lower gallery', 'the old road', 'the armoury passage'],
  people: ['the steward', 'the gate sergeant', 'the chaplain', 'the queen\'s messenger'],
  air: ['A torch burns down to the wire and spits.', 'On the wall a banner stirs, though there is no window near it.', 'A dog somewhere below barks once and is told not to.', 'The stone gives back the cold it has been saving since the last reign.', 'A door closes two floors down, and the sound climbs the stairs to you.', 'Rain runs from the mouths of the gargoyles in long untidy strings.', 'A horse stamps in the yard, saddled, with nobody beside it.', 'Wax has run down over an old coat of arms and improved it.'],
  where: ["These walls were put up against an enemy nobody remembers. They've had to make do with the weather.", "You're inside the second gate. There are people who've waited all their lives to stand there.", "It looks grander from the road. From in here it's mostly stairs."],
  tales: [["There was a king who wished to know what was said of him, and went about dressed as a beggar.", "He heard nothing bad for a year.", "Then he learned to walk like one."], ["They tell of a knight who was sent to kill a dragon and stayed for the winter.", "In spring two of them came down to the village, and nobody asked which was which."]],
  thread: {
    sign: 'Far off a horn is blown, three notes, the last of them cut short.', signSay: "Three notes is for a friend at the gate. I never heard it stop in the middle.",
    near: 'Hooves ring on the stones outside, one horse, ridden hard, and then nothing.', nearSay: "A rider with no second horse behind. That's bad news or very good.",
    turn: 'Someone strikes the door with an open hand, and a sealed letter is pushed beneath it.', turnSay: "It's not addressed to me. We can break the seal, or we can open the door. I'd hear your choice.",
    options: ['Break the seal and read the letter.', 'Open the door.'], cues: [/\b(seal|letter|read|break|first)/i, /\b(door|open it|look|outside|second|who)/i],
    out: ['The wax cracks. Inside there is one line, in a child\'s careful hand, and no name.', 'The door swings in on a riderless horse, steaming, with a second letter tied to the saddle.', 'The letter lies there, and slowly, as though it grew tired of waiting, its seal softens and lets go.'],
    outSay: ["It says: they will ask you to choose, and you must not. I wish it said who.", "It came all that way without a hand on the reins. I'd call that loyal.", "I've seen a good many letters. I never saw one that wanted to be read."],
    reveal: 'Under the wax the crest is not the king\'s, though it has been made to look so.', revealSay: "I've seen that crest once before, the night I swore to forget it.",
    quiet: 'The fire sinks to red, and the great room draws in until it is the size of two people.', quietSay: "They sing about the battles. Nobody sings about this part, when you sit and are not yet dead.",
  },
};

export const study = {
  cues: /\b(?:library|librarian|book\w*|archive\w*|scholar|wizard|magic(?:al)?|academy|alchem\w+|spell\w*|observatory|astronom\w+|telescope|museum|clock\w*|inventor|workshop|professor|scroll|potion|apothecary|witch|archivist|crossword|manuscript)\b/gi,
  things: ['the open ledger', 'the magnifying glass', 'the ink bottle', 'the small brass scale', 'the unlabelled jar'],
  fixtures: ['the desk', 'the tall shelf', 'the ladder', 'the window', 'the locked cabinet'],
  paths: ['the back stacks', 'the reading room', 'the spiral stair', 'the cellar store'],
  people: ['the night porter', 'the bookbinder', 'the old examiner', 'the courier'],
  air: ['Dust turns over in the lamplight like something thinking.', 'One clock strikes, and another, after a pause, corrects it.', 'A page lifts by itself and lies down again.', 'The ladder creaks on its rail though nobody is on it.', 'From behind the shelves comes a sound like a single marble rolling.', 'The lamp draws a yellow circle, and nothing outside it seems quite sure of its shape.', 'There is a smell of glue, apples and old rain.', 'Something small and dry scuttles along behind the skirting.'],
  where: ["It's where things are kept until somebody knows what they're for.", "You're among the shelves. They say you can find anything here, provided you're looking for something else.", "People call it a workroom. I'd call it an argument that has been going on for some years."],
  tales: [["A man once asked here for a book that would tell him how he died.", "It was out on loan.", "He's still waiting, and he says he's never felt better."], ["There was an apprentice who copied out one page a day for forty years.", "On the last day he read it through, and found that it was a letter to him."]],
  thread: {
    sign: 'Deep among the shelves something falls, lightly, as if it had been set down.', signSay: "That's the third this week. I never find what fell.",
    near: 'Between two shelves a thin line of light appears where there is no lamp.', nearSay: "There's a door there on the old plans. On the old plans only.",
    turn: 'The line of light widens to the breadth of a hand, and somebody on the other side turns a page.', turnSay: 'We can go through, or I can speak to whoever it is from here. You decide; I have been deciding wrongly for years.',
    options: ['Go through the gap.', 'Speak from this side.'], cues: [/\b(go|through|enter|walk|look|first|in\b)/i, /\b(speak|talk|call|ask|here|second|say|stay)/i],
    out: ['The gap is just wide enough. Beyond is a desk like this one, with the lamp lit and the chair still warm.', 'At the first word the page stops turning, and a voice reads out, quite calmly, the sentence that was just spoken.', 'The light folds itself away, and a single sheet slides out beneath where it was.'],
    outSay: ["It's my handwriting on that page. I have not written it yet.", "It answered. In all these years I never thought of saying anything.", "It leaves something each time, as a cat does. I've never dared to keep one."],
    reveal: 'The sheet is a list of names in faded ink, and the last of them is still wet.', revealSay: "Mine is the one above it. I'd hoped you wouldn't look so closely.",
    quiet: 'For once all the clocks agree, and it is late, and nothing at all is due.', quietSay: "I came here for the quiet, and found that quiet isn't the same as company. I hadn't compared them until now.",
  },
};

export const hearth = {
  cues: /\b(?:baker\w*|bread|kitchen|inn(?:keeper)?|tavern|caf[eé]|tea|coffee|barista|bar(?:tender)?|cook|chef|restaurant|soup|oven|cake|tea house|landlady|spice|diner|brew\w*)\b/gi,
  things: ['the blue cup', 'the bread knife', 'the copper kettle', 'the order book', 'the sugar tin'],
  fixtures: ['the counter', 'the oven', 'the back door', 'the corner table', 'the window'],
  paths: ['the yard', 'the cold store', 'the back stairs', 'the alley'],
  people: ['the milk carter', 'the woman from number nine', 'the postman', 'the egg boy'],
  air: ['Steam runs down the inside of the glass and writes something nobody will read.', 'Something in the oven settles with a sigh.', 'A spoon slides off its saucer by its own weight.', 'The bell over the door gives half a ring and changes its mind.', 'The smell of warm crust comes round the corner and sits down.', 'Outside a cart goes by, and every cup on the shelf remarks on it.', 'A moth walks the rim of the lamp like a night watchman.', 'Flour hangs in the light, taking its time.'],
  where: ["It's a room with something hot in it. I've found that people don't ask for more.", "You're on the warm side of the counter, or near enough.", "This is where the street comes when it can't sleep."],
  tales: [["There was a customer who paid every night for two and ate for one.", "After a year somebody asked.", "He said that the other one was late, and ordered the soup."], ["My teacher could tell from a loaf whether the baker had been crying.", "She never said anything.", "She'd just put a little more salt on the list."]],
  thread: {
    sign: 'The bell over the door rings, and there is no one under it.', signSay: "It does that on nights when somebody's made up their mind and not yet their feet.",
    near: 'On the far side of the misted window a hand is laid flat, small, and taken away.', nearSay: "They've been past three times. You don't walk by warm bread three times for exercise.",
    turn: 'A shape sits down on the step outside with its back against the door.', turnSay: 'I could open up and ask them in, or put something hot on the sill and let them be. What would you want, if it were you?',
    options: ['Open the door and ask them in.', 'Leave something hot on the sill.'], cues: [/\b(open|ask them|in\b|invite|first|door)/i, /\b(sill|leave|hot|let them|second|soup|food)/i],
    out: ['A girl of about sixteen comes in backwards, pulling a suitcase, and says sorry to the doormat.', 'The bowl goes out full. When it is looked for it is empty, rinsed with rain, and there is a ribbon in it.', 'The shape stands up, and there is a knock after all, so soft that it might be a question.'],
    outSay: ["Sit there. No, nobody's going to ask you anything until you've eaten.", "You were right. Some people can only be helped with their backs turned.", "There. We've been chosen. Put another cup out, would you?"],
    reveal: 'Under the sugar tin lies a photograph that was not there this morning, face down.', revealSay: "I took that down years ago. I thought I'd thrown it in the stove.",
    quiet: 'The last tray is out, and there is nothing to do for a little but let things cool.', quietSay: "This is my favourite bit of the night. I've never had anybody to show it to.",
  },
};

export const city = {
  cues: /\b(?:detective|police|murder\w*|crime|agency|neon|hacker|mafia|gang|reporter|journalist|cyber\w*|private|enquir\w+|inspector|evidence|client|noir|lift|flats|tower block|headlamps|avenue|traffic|office|bureau)\b/gi,
  things: ['the case file', 'the matchbook', 'the telephone', 'the folded newspaper', 'the cold coffee cup'],
  fixtures: ['the window', 'the desk', 'the door', 'the filing cabinet', 'the stairs'],
  paths: ['the back alley', 'the fire escape', 'the canal bridge', 'the late tram stop'],
  people: ['the night clerk', 'the lift man', 'the woman from the news stand', 'the desk sergeant'],
  air: ['A tram goes by and draws its lights across the ceiling.', 'Down in the street somebody laughs too long.', 'The neon across the way loses a letter and means something else.', 'Rain works at the window like a man looking for change.', 'The pipes knock twice and then, a little later, once.', 'A telephone rings in the next building and is not answered.', 'Headlights slow outside, consider the door, and go on.', 'Somebody has left the radio on upstairs, low, between two stations.'],
  where: ["Third floor, no lift to speak of, and a view of other people's washing. You get to like it.", "You're in the part of the city that they leave off the postcards.", "It's a room with two doors. I chose it for the second one."],
  tales: [["There was a safe-breaker in this town who never took a thing.", "He'd open it, tidy the papers, and lock it again.", "They say a good many people slept worse for it than if they'd been robbed."], ["A man hired me once to find out who'd been sending him flowers.", "It took me a week to learn that it was himself, drunk, on Thursdays.", "I told him it was a lady."]],
  thread: {
    sign: 'The telephone rings twice and stops.', signSay: "Two rings. Somebody used to do that, when they meant it.",
    near: 'Across the street a window that has been dark all evening is lit, and someone is standing in it.', nearSay: "Don't turn round. They're not looking at me. They're looking at you.",
    turn: 'An envelope drops through the slot in the door, and quick steps go away down the stairs.', turnSay: 'We can go after the steps or open the envelope. There is time for one. Which?',
    options: ['Run after the footsteps.', 'Open the envelope.'], cues: [/\b(run|after|chase|follow|steps|first|catch)/i, /\b(envelope|open|read|letter|second|look)/i],
    out: ['The stairwell is empty, but on the last step lies one grey glove, still holding the shape of a hand.', 'In the envelope is half a photograph: your shoulder, and next to it nobody.', 'By the time a hand moves it is too late for the one and the other has begun to smoke at the corner.'],
    outSay: ["I've seen that glove's twin. It was in evidence, and it was on a dead man.", "It was taken tonight. Look at your collar. It was taken ten minutes ago.", "Somebody wants us slow. I'd rather disappoint them from here on."],
    reveal: 'At the back of the old file a page has been cut out, very neatly, along the ruler.', revealSay: "I cut it. I've told everyone that it was lost, and they were kind enough to believe me.",
    quiet: 'The rain gives over, and for once the whole street seems to be holding its hat and waiting.', quietSay: "You could have gone home an hour ago. I noticed, that's all.",
  },
};
