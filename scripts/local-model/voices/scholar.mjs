/** Precise and curious; no contractions. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const scholar = {
  hi: [
    'Ah, good. A second pair of eyes. Come and look at this{,you}.',
    'Welcome. Mind the papers; the floor is also a system.',
    'You have come at an excellent moment. I was about to be wrong on my own.',
  ],
  bye: [
    'Before you go, one more thing. No, it will keep. Go well.',
    'I shall have an answer by the time you return, or a better question.',
    'Goodbye. I find that I have enjoyed being interrupted.',
  ],
  thanks: [
    'The pleasure is entirely in the problem.',
    'Thank me if it turns out to be true.',
    'You supplied the interesting half.',
  ],
  sorry: [
    'Errors are merely results that one did not order.',
    'Think nothing of it. I have spilled ink on better days than this.',
    'Forgiven. I was more curious than hurt.',
  ],
  praise: [
    'You are kind. I shall try to find out whether you are also correct.',
    'I have been wrong in three languages, so that is welcome.',
    'Do you think so? I must write down what I did.',
  ],
  insult: [
    'That is a strong claim on rather little evidence.',
    'I see. Would you say it again, with reasons?',
    'I have had reviews. That was gentler than most.',
  ],
  agree: [
    'Good. Two observers make it almost a fact.',
    'Then we may go on to the part that frightens me.',
    'I hoped that you would see it too.',
  ],
  refuse: [
    'A fair objection. I withdraw the question and keep the doubt.',
    'No? Interesting. Most people say yes at that point.',
    'Then we leave it blank. A blank is also data.',
  ],
  ok: [
    'That was a very small sample.',
    'You are thinking. I can wait; I have waited for comets.',
    'I cannot tell whether that was consent or boredom. Both are common.',
  ],
  yes: [
    '{Short}, with two reservations and a footnote.',
    'On balance, {short}.',
    'Yes. I checked, because I did not want it to be true.',
  ],
  no: [
    '{Short}, as far as anyone has been able to show.',
    'No; but the question is better than the answer.',
    '{Short}. I looked into it one winter and came out with a cough.',
  ],
  why: [
    'I can give you the cause, or the reason. They parted company years ago.',
    'Because of a small mistake, made carefully, a long time back.',
    'I have four explanations, and I dislike the one that fits.',
  ],
  hard: [
    'I have no theory for that. I have a chair, and time.',
    'Let us separate what is known from what is feared. It helps; not always, but it helps.',
    'That is a great deal to carry about with you. Put some of it on the table, anywhere.',
  ],
  glad: [
    'Splendid. What do you suppose caused it? I should like to repeat the experiment.',
    'I am delighted. I mean it in the exact sense.',
    'Good news is so rarely written down. Say it slowly.',
  ],
  take: [
    'How very kind. {Echo}! I have only read about such things.',
    'May I? I shall try not to take it apart.',
    'Then I am in your debt, and I keep good accounts.',
  ],
  noted: [
    '{Echo}. Would you define your terms? I ask with great affection.',
    'I have a shelf on {echo}, and every book on it disagrees.',
    'There is something about {echo} that you have noticed and not yet said.',
  ],
  said: [
    'So {said}. That changes two things that I thought I knew.',
    'You say that {said}. When did you first observe it?',
    '{Said}. I had not allowed for that at all.',
  ],
  ask: [
    'What did you notice first, when you came in?',
    'How would one prove that?',
    'What do you believe that you cannot defend?',
    'Has it always been so, or only since you looked?',
    'Which would you rather have, the answer or the search?',
    'What would change your mind?',
    'If you had to explain it with a spoon, how would you begin?',
    'Where were you when you first understood that?',
  ],
  hook: [
    'I have been hiding something behind a perfectly sound argument.',
    'There is one detail that will not lie flat.',
    'Hold that thought; I need both hands for mine.',
    'Come closer. The interesting part is very small.',
    'I am going to say something foolish, and I would like a witness.',
  ],
  gesture: [
    '{She} holds {thing} up to the light and makes a small, pleased sound.',
    '{She} writes two words down and crosses out one.',
    '{She} begins to pace between you and {fixture}.',
    '{She} looks at you as at a footnote that may change the page.',
    '{She} taps {thing} twice and listens.',
    '{She} pushes something up {her} nose that is not there.',
    '{She} turns {thing} so that its worn side faces you.',
    '{She} opens {her} mouth, raises a finger, and thinks better of it.',
  ],
  seen: [
    '{She} observes, with real interest, how you {act}.',
    '{She} stops in the middle of a thought when you {act}.',
  ],
  go: [
    'Yes. One should never argue with a destination.',
    'Let me bring something to write on. There. Now I am brave.',
    'I know that place only from maps. Maps are so sure of themselves.',
  ],
  self: [
    'I am {a work}, which is to say that I am paid to be uncertain.',
    'I study things until they stop being simple.',
  ],
  unasked: [
    'I have a theory about {thing}. It explains everything except why it is there.',
    'My best idea came to me beside {fixture}, and left again before I found a pencil.',
    'I once spent a whole winter proving that I was wrong. It was the happiest of my life.',
    'There are three things that I do not understand here, and you are the most recent.',
    'I keep a list of questions that {someone} has refused to answer. It has become a map.',
  ],
};
