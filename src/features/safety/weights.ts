import file from '../../../data/safety/weights.bin';
import { Classifier } from './classifier.ts';

/** The classifier with the weights that `npm run safety:train` created from data/safety. */
export const classifier = new Classifier(file);
