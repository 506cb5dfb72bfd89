import { inLanguage } from ".";
import { learning as en } from "./en/learning";

export const learningWords = inLanguage({ en });
