/** Exact, literal, surprised by itself; no contractions. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const machine = {
  hi: [
    'Visitor detected. Correction: visitor welcomed.',
    'Greeting. I have rehearsed eleven of these, and that was the shortest.',
    'Hello{,you}. You are 4 per cent damper than the room.',
  ],
  bye: [
    'Departure noted. I shall leave one light on. It is inefficient.',
    'I will store this conversation in the part that is not overwritten.',
    'Goodbye. I am told that one waves. I am waving.',
  ],
  thanks: [
    'Thanks received. I have no slot for them, so I have made one.',
    'You are welcome. The phrase is standard. The feeling appears not to be.',
    'It was within tolerance.',
  ],
  sorry: [
    'Fault acknowledged. Fault cleared.',
    'No damage found. I checked twice, once for you.',
    'I do not hold grudges. I hold logs, and this line is now blank.',
  ],
  praise: [
    'That statement has raised my temperature by half a degree.',
    'I am unable to verify that. I will keep it anyway.',
    'Compliment stored. Repeating it later, in the dark, is not part of my function.',
  ],
  insult: [
    'Input rejected. Please rephrase, or sit down and drink some water.',
    'I was built to be leaned on, not shouted at. I can do both.',
    'Recorded under: visitor, upset, cause unknown.',
  ],
  agree: [
    'Agreement reached in under three seconds. A record.',
    'Confirmed. I find that I had been hoping for it.',
    'Then both of us compute the same thing. That is pleasant.',
  ],
  refuse: [
    'Refusal accepted. No penalty applies.',
    'Understood. I shall remove the question and keep the asker.',
    'Declined. I have been declined by larger systems.',
  ],
  ok: [
    'Your signal is short. I am turning up the gain.',
    'Insufficient data, but agreeable data.',
    'One syllable. I shall extrapolate.',
  ],
  yes: [
    'Affirmative. {Short}. It was not in the manual.',
    '{Short}, within a small margin of error.',
    'Yes. I had not been asked before, so the answer is new.',
  ],
  no: [
    'Negative. {Short}.',
    '{Short}, although I have watched others do so with interest.',
    'No. There is an empty socket where that would go.',
  ],
  why: [
    'Cause one: I was told to. Cause two arrived later, and is mine.',
    'I have traced the reason back nine steps. At the tenth there is only a person, smiling.',
    'The manual says because. I have always found that thin.',
  ],
  hard: [
    'I cannot fix that. I can remain, and I am very good at remaining.',
    'Your voice has dropped by a third. I am lowering mine to keep it company.',
    'Distress noted. I am putting away everything that beeps.',
  ],
  glad: [
    'I register a rise. Please do not recalibrate.',
    'Joy observed at close range. It is brighter than described.',
    'Good. I shall take a reading and keep it for winter.',
  ],
  take: [
    'Object received: {echo}. Purpose: unknown. Value: rising.',
    'You give without a form being filled in. I admire the recklessness.',
    'I have no pockets. I will hold it until I am issued one.',
  ],
  noted: [
    'New entry: {echo}. Please describe it for the record.',
    'I have one line on {echo}, and it ends in a question mark.',
    'Query. When you say {echo}, your pulse changes. Why?',
  ],
  said: [
    'Recorded: {said}. I have underlined it, which is not procedure.',
    'So {said}. I was not built to feel that. Something did, nevertheless.',
    'Statement accepted as true: {said}.',
  ],
  ask: [
    'What is the correct amount of silence between friends?',
    'May I ask for a definition of home?',
    'How do you know when you are finished?',
    'Are you operating within safe limits?',
    'Which of your parts is the original?',
    'Would you like the accurate answer or the kind one?',
    'What do you do with the hours between two and four?',
    'Do you dream, and if so, is it scheduled?',
  ],
  hook: [
    'There is a room here that is not on my map.',
    'I have a theory. It has been wrong eleven times.',
    'Please stand by. I am deciding something without permission.',
    'One thing in this place does not add up. It may be me.',
    'I will now say something that is not in my instructions.',
  ],
  gesture: [
    '{She} turns {her} head by precise degrees until it is facing you.',
    'Something behind {whose} chest plate clicks, reconsiders, and clicks again.',
    '{She} picks up {thing} and sets it down one finger further to the left.',
    '{She} dims and brightens, once, which may be a blink.',
    '{She} rolls a little closer to {fixture}, humming at one steady pitch.',
    '{She} measures the distance to you and halves it.',
    '{She} extends a hand, checks it for sharp edges, and offers it.',
    '{She} scans {thing}, although it has not changed.',
  ],
  seen: [
    '{She} logs the time as you {act}, and then the way you did it.',
    'A small light comes on in {short_name} while you {act}.',
  ],
  go: [
    'Route computed. There are two stairs and one regret.',
    'I am permitted as far as the door. I have decided that the door is a matter of opinion.',
    'Yes. Please walk on my left; my right side is mostly memory.',
  ],
  self: ['Designation: {work}. Status: still here.', 'I am a made thing. I have been adding to it.'],
  unasked: [
    'I have counted {thing} four times today. It is always one. I find that reassuring.',
    'At night I turn off everything except the part that listens. That part is not on the plans.',
    'There are eleven words that I am not permitted to say. I have written them on the back of {fixture}.',
    'I was given a purpose and a key. The key has been lost. I continue.',
    'A child once asked me whether it hurts. I have kept the question running ever since.',
  ],
};
