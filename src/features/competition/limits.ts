/** The creators' competition. Its rules are published in docs/competition.md, so change them there as well. */
export const COMPETITION = {
  /** Percentages of the score, 100 together. */
  popularityPercent: 80,
  creativityPercent: 20,
  /** Points of popularity for each doubling of people, regardless of other characters. */
  pointsPerDoubling: 10,
  /** The number of people that gives 100 points, the most possible. */
  maxPeople: 1023,
  /** A person counts after this many answered messages with a character. */
  minMessages: 5,
  /** People of one network who count for a character: enough for a household, not for a bot farm. */
  maxPeoplePerNetwork: 3,
  /**
   * People of one wider network, a /48 of IPv6 or a /24 of IPv4. A customer who rents one has thousands of networks,
   * but neighbours and mobile users share one as well.
   */
  maxPeoplePerWiderNetwork: 12,
  giftCardCents: 10_000,
  /** Winners of a month of the first plan. */
  monthPlaces: 5,
  /** Entries per statement when people are counted. */
  entriesBatchSize: 50,
  /** Approximate number of conversations per statement. */
  conversationsBatchSize: 20_000,
  /** Statements per run: 16 calls, including the rest of a season's work. */
  maxRoundsPerRun: 5,
  /** Characters whose texts are checked for explicit words at once, and batches per run. */
  checksBatchSize: 100,
  maxChecksPerRun: 2,
  /** Words that the creator of a character is shown. */
  maxExplicitWordsShown: 5,
  /** Rows that are read or written by one statement when entries are ranked. */
  rowsBatchSize: 5000,
  /** Seasons per run; several are open while the last one is judged. */
  maxSeasonsPerRun: 3,
  /** Conversations that a run checks for networks that are no longer needed. */
  maxNetworksPerRun: 5000,
  /** Past seasons that the page links to. */
  maxSeasonsShown: 12,
} as const;
