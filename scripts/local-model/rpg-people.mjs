/** How a game master takes up what is said rather than done, and what the people in the scene say. Slots as everywhere. */
export const TAKEN_UP = {
  hi: [
    'Your greeting goes out into the place and comes back with company: {someone}, one hand raised.',
    '{Someone} looks up at the sound of your voice, and for a moment nobody reaches for anything.',
    'You say it to the dark, and the dark, in the person of {someone}, says it back.',
  ],
  bye: [
    'You say goodbye. {Someone} marks the place with a thumbnail, as one does in a book that is not finished.',
    'The scene will keep. {Someone} sits down by {fixture} with the air of someone who can wait.',
    'You turn to go, and everything stays exactly as you leave it, like a table laid for later.',
  ],
  tellName: [
    'You give your name. {Someone} tries it out, {name}, and writes it down in small clear letters.',
    '{name}, then. Somewhere behind {fixture} the name is repeated, very low, and not by you.',
    'You are {name}, and now one more of them knows it.',
  ],
  hard: [
    'Nobody asks you to be brave. {Someone} moves over, and there is a place to sit, and you take it.',
    'It catches up with you here, of all places. {Someone} notices, and looks tactfully at {thing}.',
    'You say it, and it is out, and the walls have heard worse. {Someone} hands you something hot.',
    'For as long as it takes to breathe out nothing in this place wants anything from you.',
  ],
  glad: [
    'It shows on you. {Someone} catches it like a yawn, and looks the better for it.',
    'You are in good heart, and the place, which is used to other visitors, hardly knows what to do.',
  ],
  thanks: [
    '{Someone} waves it away, and is pleased, and hides it badly.',
    'Thanks are not common down here. {Someone} keeps yours, you can tell, for later.',
  ],
  sorry: [
    '{Someone} considers the apology, turns it over, and puts it in a pocket.',
    'It is accepted, with a nod. There will be a small bill at some point.',
  ],
  praise: [
    '{Someone} goes red to the ears and drops {thing}.',
    'The compliment lands. From now on one person here is a little more on your side.',
  ],
  insult: [
    '{Someone} takes that without blinking, and moves one step further from the rope.',
    'The word hangs there. Somebody laughs, and it is not a friendly sound.',
  ],
  laugh: [
    'Your laugh goes round the place and comes back a beat late, as though somebody had needed to think about it.',
    '{Someone} tries not to, and fails, and for a moment there are simply two people laughing in the dark.',
  ],
  agree: [
    'You nod, and it is settled; {someone} is already rolling up sleeves.',
    'Yes, then. A good half of every adventure is somebody saying so.',
  ],
  refuse: [
    'You shake your head. {Someone} shrugs and crosses out a line.',
    'No. The place seems to think the better of you for it, and takes another way round.',
  ],
  ok: [
    'You let it come to you. {Someone} takes your silence for confidence, and stands up straighter.',
    'You say little, and it turns out to be enough; {someone} begins to talk.',
    'While you think it over, the scene goes on without asking.',
  ],
  offer: [
    'You hold out {topic}. {Someone} looks from it to you, and takes it in both hands.',
    '{Someone} accepts it gravely, and something in the balance of the room shifts to your side.',
    'What you offer is not refused. Very little that is offered here ever is; remember that.',
  ],
  tell: [
    'You speak of {topic}, and {someone} grows still, in the way of people who have heard the word before.',
    'At the mention of {topic} a glance goes between {someone} and {fixture}, quick as a mouse.',
    'You tell it plainly. {Someone} listens to the end, and asks only whether you have told anybody else.',
    'Your words stay in the air longer than they should. When they have gone, {thing} is a little to the left of where it was.',
    'You say so, aloud, to see what happens. What happens is that somebody out of sight stops pretending not to listen.',
    '{Someone} hears you out and says that there was another who told it just the same.',
  ],
  askStory: [
    '{Someone} has one, and tells it in three breaths: a man went down, a man came up, and it was not the same man.',
    'The only story told here is about the last person who asked for one. They are said to have liked the beginning.',
  ],
  myName: [
    'You reach for your own name, and it is there: {name}. That is not a thing to be taken for granted in this place.',
  ],
};

export const SAYS = [
  "If you hear singing, it isn't for us.",
  "I've been here before. That's to say, somebody with my boots has.",
  "Don't touch anything that looks pleased to see you.",
  "Whatever you do, do it as if you'd been told to.",
  "There's a rule about this. I forget which, but people died of it.",
  "You go first. I'm good at being sorry afterwards.",
  'That was shut when we passed it. I shut it.',
  "I don't like it. I'd like that written down somewhere.",
  'My mother said never follow a light that waits for you.',
  "Can you smell that? That's somebody's supper, and nobody lives here.",
  "I'd rather be rained on, and I've been rained on a good deal.",
  "If we come out of this, I'm taking up bees.",
  "It's looking at you. I only say so because you aren't looking at it.",
  "We've got about as long as a candle has.",
  "Somebody's paid for this floor to be clean.",
  'I can carry that or I can be brave. Choose.',
  "There's a mark here at the height of a child.",
  "You've done this before. Haven't you? Say that you have.",
  'Quiet. No, quieter than that.',
  "I'd a cousin who went through there. He writes, but it's never quite his hand.",
  "I'll stand here and look as though there were more of us.",
  'Whoever made this was left-handed and in love.',
  "The map says we're standing on a lake.",
  "I've counted us twice now, and I don't care for the total.",
];

export const SAID_BY = [
  'says {someone}',
  '{someone} says, not loudly',
  '{someone} mutters',
  'says {someone}, without turning round',
  '{someone} whispers',
  'says {someone} at last',
];

export const MORE_MEANWHILE = [
  'A thread of sand begins to run from the ceiling, neat as an hourglass.',
  'Something that has been ticking all this time stops.',
  'The echo of your last step arrives, and then one more.',
  '{Thing} is warm to the touch now, and it was not before.',
  'The air smells the way it does when a letter is burned.',
  'Far down, a gate is raised by somebody in no hurry.',
  'There is a wet hand-print on {fixture}, and it is getting larger.',
  'For the space of a breath every shadow points the same way.',
  'You find that you know the next three steps by heart.',
  'A small door, which you had taken for a panel, has been standing ajar.',
  'A card lies at your feet, face down, with a boot mark on it. It is your boot.',
  '{Someone} begins to hum and stops, looking guilty.',
  'Up above, a crowd cheers, faintly, for somebody else.',
  'Dust falls in a straight line, as if along the edge of something huge and closed.',
  'One of the stones here has been polished by hands.',
  'Someone has set out two cups near {fixture}, and one of them steams.',
  'A mouse comes out, sees how things stand, and goes back for its children.',
  'You hear keys, a great many, and then the silence of keys being held still.',
  'The colour has gone out of the light, like tea poured twice.',
  'On the sill lies a list in your handwriting, and the first three things are crossed out.',
];

export const MORE_CHOICES = [
  'Count your companions again.',
  'Throw a pebble ahead of you.',
  'Cover your lamp with one hand.',
  'Hum along, softly.',
  'Take off your boots.',
  'Draw what you see.',
  'Split up and meet at {fixture}.',
  'Push on past {path}.',
  'Show {someone} what you carry.',
  'Whistle for whoever is listening.',
  'Turn {thing} upside down.',
  'Step back into the light.',
  'Speak to it kindly.',
  'Ask for a price.',
  'Rest by {fixture}.',
  'Write it down first.',
  'Keep your promise.',
  'Change hats with {someone}.',
  'Bar {fixture} behind you.',
  'Open the smaller one.',
];
