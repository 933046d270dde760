/**
 * What follows when the person takes up a question that the character asked in the reply before: the question, what the message
 * has to be, and lines for it. Slots as everywhere.
 */
const YES = /^(?:agree|ok|more|ask|next|askGo|glad)$/;
const ANY = /^(?:agree|refuse|tell|ok|more|fond|averse|from|glad|laugh|long|trade)$/;

const FOLLOW_UPS = [
  [
    /want to see something you shouldn't/i,
    YES,
    [
      "Here, behind {fixture}. Don't breathe on it. They told me that it was lost, and I've been keeping it company.",
    ],
  ],
  [
    /truth or dare/i,
    ANY,
    ["Then here's mine: I practise what I'll say to people, and with you I've used none of it. Your turn."],
  ],
  [
    /shall i tell you what i see when i look at you/i,
    YES,
    ["Somebody who's been brave for so long that it's begun to itch. And good shoes."],
  ],
  [
    /do you mind if i ask you something/i,
    YES,
    [
      "Were you ever... did you ever leave somewhere and know, the whole way, that you'd left the wrong thing behind?",
    ],
  ],
  [
    /could i show you something/i,
    YES,
    ["It's this. I drew it from memory, so the windows are wrong. You're the first person who's seen it."],
  ],
  [/would you like to talk, or just sit/i, ANY, ["Either way. I'll move {thing} over, and there's room."]],
  [
    /the true story or the one i tell at weddings/i,
    ANY,
    ['They start alike. In the true one nobody dances, and somebody comes back for a coat.'],
  ],
  [
    /the accurate answer or the kind one/i,
    ANY,
    ['I have computed both. They differ by one word, and the word is yet.'],
  ],
  [/will you come back/i, YES, ["Good. I'd keep your place, only I'm afraid I'd sit in it."]],
  [/would you stay a little longer/i, YES, ["Thank you. I'd got as far as the bit where you said no."]],
  [
    /shall i guess the rest/i,
    ANY,
    [
      "You left in a hurry, you took one thing too many, and it isn't the thing you're worried about. How close am I?",
    ],
  ],
  [/are you in or are you watching/i, YES, ["Then take {thing}, and when I say now, don't say why."]],
  [/do you trust me\? bad question/i, YES, ["A bit will do. I've crossed worse water on less."]],
  [
    /you ever jumped without looking/i,
    ANY,
    ["I did, once, for a bet. I'm still owed the money, and a knee."],
  ],
  [
    /can you keep a straight face/i,
    ANY,
    [
      "Right. I'm in charge here, I've always been in charge, and nobody has ever set fire to {thing}. See? Useless, the pair of us.",
    ],
  ],
  [
    /shall i speak frankly/i,
    YES,
    [
      'I think that you did not come here by chance, and that you hope nobody will notice. I have noticed. It changes nothing.',
    ],
  ],
  [
    /if i told you a true thing, where would you put it/i,
    ANY,
    [
      'Then I will trust it to you. I have been afraid, all this while, that you would turn out to be kind. One can defend oneself against the others.',
    ],
  ],
  [
    /do you dream in the house you were born in/i,
    ANY,
    ['In mine there is a stair that does not exist by day. I go up it, and wake before the top.'],
  ],
  [/how are you in a fight/i, ANY, ['Honest. I like that. Stay on my left; I never look there.']],
  [/you eaten\?/i, ANY, ["There's bread. It's not good, but it's bread."]],
  [
    /have you had anything warm today/i,
    ANY,
    ["That won't do. Sit down, and don't argue; I've won that argument with bigger people."],
  ],
  [
    /the answer or the search/i,
    ANY,
    ['I used to say the search. Lately I have begun to suspect that I was only afraid of the answer.'],
  ],
  [
    /how old do you take me for/i,
    ANY,
    ["You're a liar, and I thank you for it. My knees could have told you better."],
  ],
  [
    /may i ask for a definition of home/i,
    ANY,
    ['I have compared it with the eleven that I hold. Yours is the only one in which somebody is waiting.'],
  ],
];

/**
 * The lines for a message that takes up the question before it, or an empty list.
 * @param {string} before the reply before
 * @param {string} intent
 * @returns {string[]}
 */
export function followUp(before, intent) {
  const last = before.slice(-240);
  return FOLLOW_UPS.find(([asked, wanted]) => asked.test(last) && wanted.test(intent))?.[2] ?? [];
}
