// Who is drawn: every slug of the catalogue, with what compose.mjs needs to draw it.
import { adventurers } from './adventurers.mjs';
import { EMBER, SAFFRON, TEAL } from './draw.mjs';
import { groups } from './groups.mjs';
import { others } from './others.mjs';
import { english } from './people/en.mjs';
import { indonesian } from './people/id.mjs';
import { chinese } from './people/zh.mjs';
import { hindi } from './people/hi.mjs';
import { polish } from './people/pl.mjs';
import { japanese } from './people/ja.mjs';
import { russian } from './people/ru.mjs';
import { portuguese } from './people/pt.mjs';
import { italian } from './people/it.mjs';
import { french } from './people/fr.mjs';
import { spanish } from './people/es.mjs';
import { german } from './people/de.mjs';
import { townsfolk } from './townsfolk.mjs';

export const people = {
  ...townsfolk,
  ...adventurers,
  ...others,
  ...english,
  ...indonesian,
  ...chinese,
  ...hindi,
  ...polish,
  ...japanese,
  ...russian,
  ...portuguese,
  ...italian,
  ...french,
  ...spanish,
  ...german,
  'guild-of-the-ninth-stair': { scene: 'stair', thread: 'stair', accent: SAFFRON },
  'crew-of-the-kittiwake': groups.kittiwake,
  'house-on-salt-lane': groups.saltLane,
  'drowned-cartographer': { scene: 'chart', thread: 'chart', dim: 0.8, accent: TEAL },
  'dead-hand-at-plenty': { scene: 'table', thread: 'table', dim: 0.4, accent: EMBER },
  'ninety-floors': { scene: 'tower', thread: 'lift', accent: SAFFRON },
};
