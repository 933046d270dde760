/** The creators' competition; how it counts is published (docs/competition.md), so what is changed here is changed there. */
export const COMPETITION = {
  /** Of a score; together they are 100. */
  popularityPercent: 80,
  creativityPercent: 20,
  /** What each doubling of people is worth, in points of popularity: the same for everybody, whatever others have, */
  pointsPerDoubling: 10,
  /** up to so many people: nobody has more than 100 points. */
  maxPeople: 1023,
  /** Messages of one person that were answered by a character, from which on they really conversed. */
  minMessages: 5,
  /** People of one network that are counted for one character: a household, and no farm. */
  maxPeoplePerNetwork: 3,
  /**
   * And of one larger network, /48 of IPv6 or /24 of IPv4: whoever rents one has thousands of networks, while neighbours
   * and people on their phones share one too.
   */
  maxPeoplePerWiderNetwork: 12,
  giftCardCents: 10_000,
  /** How many people win a month of the first plan. */
  monthPlaces: 5,
  /** Entries that are looked at in one statement when people are counted, */
  entriesBatchSize: 50,
  /** and, about, conversations, */
  conversationsBatchSize: 20_000,
  /** so often in a run: 16 calls with the rest of a season's. */
  maxRoundsPerRun: 5,
  /** Characters whose texts are looked at for explicit words at once, and how often in a run. */
  checksBatchSize: 100,
  maxChecksPerRun: 2,
  /** Words that are told to a character's maker. */
  maxExplicitWordsShown: 5,
  /** Rows that are read or written in one statement when entries are ranked. */
  rowsBatchSize: 5000,
  /** Seasons that a run looks after; more than one is open while the last one is judged. */
  maxSeasonsPerRun: 3,
  /** Conversations that a run looks at, for networks that nobody asks after any more. */
  maxNetworksPerRun: 5000,
  /** Past seasons that the page leads to. */
  maxSeasonsShown: 12,
} as const;
