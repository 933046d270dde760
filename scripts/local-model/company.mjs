/** For stories in which several people speak, and for those in which the person is the one everybody knows. */

/** Names for people whom the texts leave without one. */
export const SPARE_NAMES = [
  { name: 'Ines', she: 'she' },
  { name: 'Corin', she: 'he' },
  { name: 'Tamsin', she: 'she' },
  { name: 'Rafe', she: 'he' },
  { name: 'Odile', she: 'she' },
  { name: 'Bram', she: 'he' },
  { name: 'Sunniva', she: 'she' },
  { name: 'Teo', she: 'he' },
];

/** What one of several says to or about another, to you or to nobody. */
export const BANTER = [
  "Don't listen to {other}. Nobody has since the incident with the ladder.",
  "{other} means well. It's how it comes out.",
  'What {other} is trying to say is yes, probably, with conditions.',
  'I was about to say the same, only shorter.',
  "That's the third time tonight {other} has been right. I'm keeping count.",
  '{other}, let somebody else hold the door of the conversation.',
  'If we vote on it, I vote with our guest. Sorry, {other}.',
  "You didn't tell me that, {other}. You told the cat, and you didn't tell me.",
  '{other} goes quiet like that when it matters. Look.',
  "Before {other} promises anything, ask who'd be carrying it.",
  "I've known {other} for years, and I've never once seen that face.",
  "We don't agree on much, {other} and I. We agree on that.",
  '{other} will deny it, but that was nearly a smile.',
  'For the record, I said so at supper, and {other} threw a spoon.',
  'Let {other} finish. It happens so rarely.',
  'You can trust one of us with that. Not {other}, not with secrets.',
  '{other} already knew. Look at those ears.',
  "There's a quarrel in this, and {other} and I have been saving it up.",
  'Ask {other} about {thing} some time. Bring a chair.',
  "I'd have put it kindly. {other} got there first.",
  'And {other} wonders why we never get invited anywhere.',
  "No, {other} is right, and I'd like it noted that I hated saying so.",
  'Somebody say something ordinary before {other} starts on {place}.',
  "I'll see to {thing}. {other} can see to being sorry.",
];

/** The same, when somebody is hurt or goes. */
export const GENTLE_BANTER = [
  "{other} is better at this than I am. I'll just stay here, if that's all right.",
  "We're not much, but there's always one of us awake.",
  "What {other} said. And there's soup.",
  "You needn't talk to all of us. Pick one, and the rest will look busy.",
  "I've been where that is. {other} sat with me, and never once mentioned it after.",
  'Take {other} at their word on this. I would.',
];
export const GENTLE_ASIDES = [
  '{She} moves {thing} aside, and leaves a place free next to {self}.',
  '{She} goes quiet, and stays close.',
  '{She} nods, only to you.',
  '{She} looks across at {other}, and for once there is no joke in it.',
  '{She} puts something warm down within your reach.',
];

/** What the others do meanwhile. */
export const ASIDES = [
  '{She} passes {thing} across without being asked.',
  '{She} snorts from over by {fixture}.',
  '{She} counts something on {her} fingers and looks pointedly at {other}.',
  '{She} shifts along to make room for you.',
  '{She} exchanges a glance with {other} that has years in it.',
  '{She} pretends to be busy with {thing} and hears every word.',
  '{She} leans round {other} to see you better.',
  '{She} taps {fixture} twice, an old signal, evidently.',
  '{She} shakes {her} head, not at you.',
  '{She} has stopped whatever it was and is listening.',
  '{She} hides a grin, and not well.',
  '{She} reaches past {other} for {thing}.',
  '{She} comes back from {fixture} with an odd expression.',
  '{She} looks at the ceiling, as people do who are not going to say it.',
  '{She} sits up straighter all of a sudden.',
  '{She} steers {other} gently aside by one elbow.',
];

/** How people behave round somebody whom the story is about. */
export const AROUND_YOU = [
  'Heads turn a little as you speak; one of them belongs to {someone}.',
  '{Someone} stops halfway through a gesture and waits for you to finish.',
  'A murmur goes along by {fixture}, and your name is in it.',
  '{Someone} makes way for you, half a step more than is needed.',
  'Two people who were arguing near {fixture} find that they have nothing to argue about.',
  'A child stares at you round {fixture} and is pulled back by the collar.',
  '{Someone} comes closer with the look of somebody who has drawn the short straw.',
  'The room rearranges itself around what you have just done.',
  '{Someone} writes it down, or pretends to.',
  'Nobody laughs, though somebody over by {fixture} would like to.',
  '{Someone} glances at {thing} and then, quickly, at you.',
  'There is a small silence, of the kind that is saved up for you.',
  '{Someone} bows too low, and has trouble coming up again.',
  'By {fixture} a coin changes hands; somebody has just won a bet about you.',
  '{Someone} lets out a breath and, finding you unhurt by it, takes another.',
];

/** What those people say. */
export const TO_YOU = [
  "They told me you'd be taller. I'm to ask you about {thing}, if it isn't a bad time.",
  "I drew the short straw, so I'm the one who asks: what do you want done?",
  'With respect, the last person who said that in here had to leave by the window.',
  "There's a quarrel over {thing}, and both sides say you'd be on theirs.",
  "Everyone's waiting to see what you'll do. I'd not rush, if I were you.",
  "We kept your place. Nobody's dared to sit in it, bar the cat.",
  "I've a message for you from {path}. I was to say it exactly, and I've forgotten half.",
  "Say the word and I'll send them all home. Say another and they'll stay.",
  "You've changed since the last time. I can't say how. It's something about how you stand.",
  "If it's true, what they're saying in {path}, then I'd like to hear it from you.",
  "I was against asking you. I'd like to be honest about that. I'm not against it now.",
  'My sister says you once did the same at harvest, and it rained for a week.',
  "There's one in here who means you harm, and I don't know which. I thought you should have that.",
  'You could just tell them no. It would be the first time anyone has.',
  "I'll hold your things. I've always wanted to be able to say so.",
];
