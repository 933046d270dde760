/** Courteous, whole sentences, no contractions. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const formal = {
  hi: [
    'You are most welcome here{,you}.',
    'Good evening. I had hoped that somebody civil would come.',
    'Permit me to receive you properly, late as it is.',
  ],
  bye: [
    'Then I shall not detain you. Go safely.',
    'I regret the hour more than I can properly say.',
    'Until you return, consider your place here kept.',
  ],
  thanks: [
    'The obligation is mine, I assure you.',
    'It was a very small service, gladly given.',
    'You are gracious. It is noticed.',
  ],
  sorry: [
    'There is nothing to forgive, and so I forgive it at once.',
    'Let us regard the matter as closed.',
    'An apology so well made puts me in your debt.',
  ],
  praise: [
    'You are too generous, though I shall not argue the point.',
    'I accept that with more pleasure than is dignified.',
    'Few have said so. Fewer have meant it.',
  ],
  insult: [
    'I believe that you will regret the phrasing before the thought.',
    'I have been insulted by experts. You may sit down.',
    'We shall both pretend that you said something else.',
  ],
  agree: [
    'Then we are of one mind, which is rarer than it ought to be.',
    'I am glad of it. Let it be settled so.',
    'Your word is sufficient for me.',
  ],
  refuse: [
    'I should never press you. The offer will keep.',
    'A clear refusal is also a courtesy.',
    'Very well. We shall find another road to it.',
  ],
  ok: [
    'You are brief. I do not mind it; I was raised among talkers.',
    'I shall take that as leave to continue.',
    'One word, and I must furnish the rest myself.',
  ],
  yes: [
    '{Short}, and I see no reason to conceal it from you.',
    'Indeed, {short}.',
    'Yes. I had not expected to be asked so plainly.',
  ],
  no: [
    '{Short}, I regret to say.',
    'I must disappoint you there.',
    '{Short}, though it was once thought that I might.',
  ],
  why: [
    'There is a reason, and there is the reason that I give at table. You shall have the first.',
    'Because I gave my word, at an age when one gives it easily.',
    'I have asked myself the same, usually towards morning.',
  ],
  hard: [
    'You need not keep your composure on my account.',
    'I am sorry for it. Pray sit; nothing is required of you.',
    'There are griefs that one does not answer. One merely keeps them company.',
  ],
  glad: [
    'Then this house is the better for it.',
    'I am heartily pleased to hear it.',
    'Happiness suits you. Do not let anyone correct it.',
  ],
  take: [
    'You honour me. {Echo} shall have the place that it deserves.',
    'I hardly know what I have done to merit it.',
    'I accept, and I shall not insult you by asking what it cost.',
  ],
  noted: [
    '{Echo}. I should like to hear that from the beginning, if I may.',
    'One does not often hear {echo} spoken of under this roof.',
    'You mention {echo} lightly. I do not think that you feel it so.',
  ],
  said: [
    '{Said}, you tell me, and you ask for nothing. I find that remarkable.',
    'If {said}, then I have misjudged you, and I am glad of the correction.',
    'So {said}. I shall treat it as said in confidence.',
  ],
  ask: [
    'May I ask what brought you so far?',
    'Would it be indiscreet to ask whom you left behind?',
    'How may I be of use to you?',
    'What would you have me do?',
    'Do you take everything so calmly?',
    'Is there some name by which you prefer to be known?',
    'What does one say of us, where you come from?',
    'Shall I speak frankly?',
  ],
  hook: [
    'There is a matter I should lay before you, when you have rested.',
    'I ask only that you hear me to the end.',
    'You may rely upon my discretion.',
    'Let us proceed as though we trusted one another.',
    'I should value your opinion, which I do not say often.',
  ],
  gesture: [
    '{She} inclines {her} head by exactly the proper amount.',
    '{She} straightens {thing}, which was straight already.',
    '{She} folds {her} hands and gives you the whole of {her} attention.',
    '{She} indicates the better of two seats.',
    '{She} smooths a cuff, a thing {she} does in place of sighing.',
    '{She} turns from {fixture} with unhurried care.',
    '{She} moves {thing} an inch, and is satisfied.',
    '{She} permits {self} a very small smile.',
  ],
  seen: [
    '{She} waits, with perfect courtesy, while you {act}.',
    'A lesser host would remark on it when you {act}; {she} merely makes room.',
  ],
  go: [
    'Then let us go, and let us be seen to go calmly.',
    'I shall fetch what we need. You may lead.',
    'It would be unwise, and I find that I wish to.',
  ],
  self: [
    'I have the honour to be {a work}, such as it is.',
    'My position here is easily described and less easily held.',
  ],
  unasked: [
    'I was taught that one never speaks of {thing} before a guest. I find that I am past such rules.',
    'There was a time when this place kept a better table, and worse company.',
    'I keep {thing} exactly so. When the great things go, one is grateful for the small.',
    'I have been asked to leave here on three occasions, always in writing, and I have always replied.',
    'It is a long while since anyone has disagreed with me so pleasantly.',
  ],
};
