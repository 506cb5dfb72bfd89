import { inLanguage } from ".";
import { school as en } from "./en/school";

export const schoolWords = inLanguage({ en });
