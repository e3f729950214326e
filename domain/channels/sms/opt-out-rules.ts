/**
 * How people say that they want no more messages or calls, by language. Texts are compared as `plain` writes them: lower
 * case, without accents of Latin letters, apostrophes and punctuation, one sentence at a time.
 */
export interface OptOutRules {
  /** Sentences that opt out. */
  says: readonly RegExp[];
  /** Sentences that may, so that a person is asked. */
  hints: readonly RegExp[];
  /** Words of stopping and of messages: a person is asked about what has both. */
  both: readonly [stopping: RegExp, messages: RegExp];
  /** Sentences that have the words and say something else, as "don't stop". */
  never: readonly RegExp[];
  /** A time, a topic or another channel is meant, so that a person is asked. */
  doubts: readonly RegExp[];
  /** Questions that ask for it, as "could you stop". */
  requests: RegExp;
}

/** A pattern in pieces; names in braces are replaced by the lists of words of the language. */
function patterns(lists: Record<string, string>, ...texts: readonly string[]): RegExp[] {
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => `(?:${filled(lists[name] ?? '')})`);
  return texts.map((text) => new RegExp(filled(text).normalize('NFKD').normalize('NFC'), 'u'));
}

const en = {
  msg: 'messages?|msgs?|texts?|txts?|sms|smses|text messages?|notifications?|alerts?|updates|reminders?|e ?mails?|newsletters?|spam|calls?|phone ?calls|robocalls|mailings|promotions?|promos|ads?|stuff|crap|correspondence|communications?',
  ing: 'texting|messaging|msging|txting|contacting|spamming|bothering|harassing|bugging|pestering|disturbing|calling|phoning|ringing|e ?mailing|pinging|writing to|writing|sending',
  verb: 'text|message|msg|txt|contact|spam|bother|harass|pester|disturb|call|phone|ring|e ?mail|ping|write to|write|send',
  me: 'me|us|my (?:phone|number|cell|mobile|line|inbox|email|house|home|address)|this (?:number|phone|line|address)',
  any: 'any|anymore|more|further|future|other|additional|these|those|this|that|the|your|all|of|such|so many|with|to|from you|getting|receiving|get|receive|have|see|read|be getting|be receiving|me|us|sms|text|email|marketing|promotional|automated|automatic|annoying|damn|fucking|stupid|daily|weekly|constant',
  no: 'dont|do not|do nt|never|no longer|not|dont you|doesnt|donot|didnt',
};
const english: OptOutRules = {
  says: patterns(
    en,
    '^(?:(?:please|pls|plz|just|can you|could you|would you|will you|you|u|ok|okay|hey|hi|hello|now|i said|for the last time|again|kindly|yes|no|no thanks|sir|omg) )*(?:stop|stahp|stopp)(?: (?:it|this|that|now|please|pls|plz|already|thanks|thank you|thx|immediately|asap|for good|at once|right now|everything|all|stop|of it|forever|messages|msgs|texts|txt|texting|me))*$',
    String.raw`\b(?:stop|quit|cease|halt|discontinue|refrain from|desist from|no more|enough)\b(?: (?:all|any|the|these|those|this|your|with|of|it|now|please|pls|with the|damn|fucking|bloody|immediately|constantly|always|fucken|all this|and desist)){0,4} (?:texting|messaging|msging|txting|contacting|spamming|bothering|harassing|bugging|pestering|disturbing|calling|phoning|ringing|e ?mailing|pinging)\b`,
    String.raw`\b(?:stop|quit|cease|discontinue)\b(?: (?:all|with|the|please|always|constantly))* (?:sending|writing)(?: to)?(?: (?:{me}|them|it|anything|things|{any}))* ?(?:{msg}|{me}|them|anything|this|these|it)\b`,
    String.raw`\b(?:stop|quit|cease|halt|discontinue|cancel|end|terminate|turn off|switch off|disable|deactivate|shut off|mute)(?: (?:sending|getting|receiving|{any}|please))* (?:messages|msgs|texts|txts|sms|text messages|notifications|alerts|e ?mails|newsletters?|robocalls|reminders|text alerts|texting)\b`,
    String.raw`\b(?:want|like|wish|need|wanna|prefer|ask|asking|asked|request|requesting|demand|told|tell(?:ing)?|order)\b(?: you| u| yall)?(?: all)?(?: to| not to)?(?: please)? (?:stop|quit|cease|not|never)(?: to)? (?:{ing}|{verb}|getting|receiving|get|receive)\b(?: (?:{any}))*(?: (?:{msg}|{me}))?`,
    String.raw`(?:^|\b(?:please|pls|plz|and|so|but|just|again|ok|okay|well|hey|hi|kindly|you should|you must|you may|sure that you|sure you|ensure you|thanks|thank you|number|off|it|i said|now|sorry|sir|enough) )(?:dont you|dont|do not|do nt|donot|never|no|not to|you will not)(?: (?:you|ever|dare|please|pls|even|again|any ?more|try to))* (?:text|message|msg|txt|contact|spam|bother|harass|pester|disturb|call|phone|ring|e ?mail|ping|write to|write)(?: or (?:{verb}))?(?: to)? (?:{me})\b`,
    '^(?:(?:please|pls|just) )*(?:dont|do not|never) (?:text|message|call|contact|write|e ?mail|phone)(?: or (?:{verb}))*(?: (?:again|any ?more|ever(?: again)?|here))$',
    String.raw`(?:^|\b(?:please|pls|plz|and|so|but|just|sure you|ok|again) )(?:dont|do not|never|no)(?: (?:ever|you|please|again|even))* send(?:ing)?(?: to)?(?: (?:{me}))?(?: (?:{any}))* (?:messages?|msgs?|texts?|txts?|sms|e ?mails?|notifications|alerts|reminders|newsletters?|spam|stuff|crap|anything|any ?more|things?|updates|ads|promotions)\b`,
    String.raw`^(?:(?:please|pls|no|ok|okay|thanks|thank you|hi|hello|sorry|and|i want|i need|i would like) )*(?:no more|no further|not any more|enough(?: of| with)?|no)(?: (?:of|with|the|these|those|your|damn|more|such|fucking|from you|stupid))*(?: (?:sms|text|marketing))* (?:messages|msgs|texts|txts|sms|text messages|notifications|alerts|e ?mails|calls|reminders|spam|texting)\b`,
    String.raw`\b(?:{no})(?: (?:really|actually|want|wish|care|need|like|any ?more|even|ever|to|want to))* (?:want|wish|care|need|like|consent|agree|interested)\b(?: (?:{any}|in|to|for|you|u|being sent|be sent))* (?:messages|msgs|texts|txts|sms|text messages|notifications|alerts|e ?mails|calls|robocalls|reminders|newsletters?|spam|updates from|promotions|texting)\b`,
    String.raw`\b(?:{no})(?: (?:really|actually|ever))* (?:want|wish|care|like|need|interested|consent|agree)\b(?: (?:to|in|for|you|u|anyone|any ?more|ever))* (?:be|being|get|getting|hear|hearing)(?: (?:ever|any ?more))* (?:contacted|texted|messaged|called|e ?mailed|bothered|disturbed|spammed|from you|from (?:this|your)|anything from you|rung|phoned|written to)\b`,
    String.raw`\b(?:{no})(?: (?:really|actually|ever))* want(?: (?:any of|all of))? (?:you|u|this|anyone there|this company)(?: (?:people|guys|all))* (?:to )?(?:{verb}|{ing}|texts?|keep {ing})\b(?: (?:{any}))*(?: (?:{me}|{msg}))`,
    String.raw`\b(?:remove|delete|take|drop|erase|cross|strike|pull|get|scrub|unlist|cut)(?: (?:out|off))? (?:me|us|my (?:phone number|cell number|number|phone|name|details|contact|info|information|cell|mobile|email|e ?mail address|address|contact details|data)|this (?:number|phone|address))(?: (?:please|now|completely|immediately|right))*(?: (?:from|off|out of))(?: (?:of|the|your|this|that|these|all|any|texting|text|mailing|message|sms|contact|call|calling|e ?mail|marketing|distribution|whatever))* (?:lists?|database|system|contacts|messages|texts?|group|mailings?|records|files?|e ?mails|sms|alerts|notifications|here|service|it|program|programme|reminders|subscription|broadcasts?)\b`,
    String.raw`\b(?:remove|delete|erase|lose|forget) (?:me|my (?:phone |cell )?number|this number|my contact(?: details)?)(?: (?:please|now|immediately|asap|thanks|thank you|completely|already|and .*))?$`,
    String.raw`\btake me off(?: (?:this|that|please|now|your|it|the texts?))*$`,
    String.raw`\b(?:unsubscribe|unsub|unsubscribing|opt(?:ing)? ?(?:me |us |my number |this number )?out|optout|opt me ?out|deregister|unenrol|unenroll|unregister)\b`,
    String.raw`\b(?:leave|let) (?:me|us)(?: the)?(?: (?:hell|fuck|heck))? (?:alone|in peace|be)\b`,
    String.raw`\b(?:revoke|withdraw|rescind|retract|take back|cancel)(?: (?:my|any|all|the|previous|prior|earlier))* (?:consent|permission|authori[sz]ation)\b`,
    String.raw`\b(?:cancel|end|terminate|stop|close)(?: (?:my|this|the|these|all|your))* (?:text subscription|sms subscription|message subscription|messaging service|subscription|text service|sms service|text alerts)\b`,
    String.raw`\b(?:messages|texts|texting|sms|e ?mails|notifications|alerts|calls)(?: (?:from you|really|just))* (?:need to|needs to|must|have to|has to|should|got to|gotta)(?: (?:please|just))* (?:stop|end|cease)\b`,
    String.raw`\bmake (?:it|this|these|the|your|all)(?: (?:these|of|the))*(?: (?:messages|texts|alerts|notifications))? stop\b`,
    String.raw`\b(?:this number|me|us|my number) (?:off|on) (?:your|the|a|that)(?: (?:no|do not|dont))* (?:list|call list|contact list)\b`,
    String.raw`\b(?:cease|stop|end|no more|no further)(?: (?:all|any|further|this|your|of))* (?:communications?|contact|correspondence|messaging)\b`,
    String.raw`\bput (?:me|my number|this number|us) on (?:the|your|a) do not (?:call|contact|text)\b`,
  ),
  hints: patterns(
    en,
    String.raw`\byou(?: just| guys| people)* (?:wont|will not|dont|do not|never|cant|keep|keep on|always|are)(?: (?:stop|on))? (?:texting|messaging|contacting|spamming|bothering|harassing|calling|sending)\b`,
    String.raw`\b(?:sick|tired|fed up|had enough|annoyed|done|over it|irritated|enough)\b(?: (?:of|with|by|all|getting|receiving|these|those|your|the|constant|so many))* (?:messages|texts|spam|texting|notifications|calls|e ?mails)\b`,
    '^(?:(?:please|just|oh|ok|god|will you|you) )*(?:go away|get lost|piss off|fuck off|f off|bugger off|buzz off|bug off|shut up|do not disturb|no more|enough|thats enough|that is enough|spam|this is spam|no thanks stop|not wanted|delete|remove|drop dead)(?: (?:please|already|now|thanks|thank you|me))*$',
    String.raw`\b(?:block|blocking|blocked|report|reporting|reported)\b(?: (?:you|this|your|the|that|these))+ ?(?:number|sender|texts|messages|as spam|for spam)?$`,
    String.raw`\bwrong (?:number|person)\b`,
    '^(?:i )?(?:dont|do not) (?:want|need) (?:these|this|it) (?:any ?more|any longer)(?: (?:please|thanks|thank you))*$',
    String.raw`\bhow (?:do|can|could|would) (?:i|we|you) (?:(?:go about|get to|make it|make this|make them|please) )*(?:unsubscribe|opt ?out|get off|(?:stop|end|cancel|turn|get out|turn off|block)\b.*\b(?:list|this|these|them|messages|texts|{msg}))\b`,
    String.raw`\b(?:too many|so many|tons of|overloaded with)(?: (?:text|sms|of|your|these))* (?:messages|texts|notifications|e ?mails|calls)\b`,
    String.raw`\bi (?:did not|didnt|never)(?: (?:ever|even))* (?:sign(?:ed)? up|ask(?:ed)?|subscribe[d]?|agree[d]?|consent(?:ed)?|request(?:ed)?|opt(?:ed)? in)(?: (?:for|to|in|any of))*(?: (?:this|these|those|it|your|the|any|get|getting|receive|receiving|you|be|being))*(?: (?:messages|texts|texted|contacted))?$`,
    String.raw`\b(?:my (?:mother|mom|mum|father|dad|son|daughter|wife|husband|partner|child)) (?:{no}) (?:want|need)\b.*\b(?:{msg})\b`,
    String.raw`\b(?:has|is|been) (?:died|dead|deceased|passed away)\b`,
  ),
  never: patterns(
    en,
    String.raw`\b(?:cant|cannot|can not|couldnt|could not|wont|will not|wouldnt|doesnt|does not|didnt|did not|dont|do not|never|not|hasnt|without|nothing will|please dont you dare)(?: (?:ever|please|you|want to|want you to|want them to|want it to|seem to|wish to|need to|like to|going to|let me|make me|u|think i should|think you should|have to))* (?:stop|quit|unsubscribe|opt ?out|cancel|end|remove|delete|turn off|unsub|forget|lose|leave me)\b`,
    String.raw`\b(?:did|why did|why dont|have|has|since|after|before|when|because|until|unless|once|thought) (?:you|they|she|he|we|u|it|the clinic|your office)(?: (?:ever|just|all|suddenly|have|had))* stop(?:ped)?\b`,
    String.raw`\b(?:i|we|ill|he|she|they|hell|shell|theyll|it|my (?:ex|boss|boyfriend|girlfriend|husband|wife|mother|mom|mum|father|dad|son|daughter|sister|brother|kid|kids|friend|neighbou?r)|someone|somebody|people|scammers?)(?: (?:will|would|can|could|should|need to|have to|must|just|might|had to|tried to|try to|wont|cant|always|also|promise to|never|doesnt|keeps|keep|am going to|have|has|used to|please|needs to|wants to|want to)){1,3} (?:stop|quit|unsubscribe|leave me)(?! (?:getting|receiving|being|(?:these|all|the|your|any) (?:messages|texts)))\b(?!$)`,
    String.raw`\b(?:texting|messaging|calling|writing|contacting|harassing|bothering|spamming|sending) (?:him|her|them|his|their|people|others|everyone|each other|while|and driving|in class|my (?:ex|wife|husband|mom|mother|mum|dad|father|son|daughter|kids?|boss|friends?|sister|brother|girlfriend|boyfriend)|at the wheel|strangers|someone|scammers|you(?! (?:guys|people)))\b`,
    String.raw`\b(?:told|asked|tell|ask|telling|asking|get|make|got|wants?|need|begged|beg|making|let) (?:him|her|them|it|my (?:\w+)|people|someone|everybody|that (?:man|guy|woman)|(?:scammers?|telemarketers?)|the (?:pain|bleeding|itch\w*|cough\w*|neighbou?r\w*|dog|kids|school))(?: to| not to)? (?:stop|quit|leave|not|remove|unsubscribe)\b`,
    String.raw`\b(?:dont|do not|never|wont|doesnt|won t)(?: (?:ever|please|just|you))* leave me\b`,
    String.raw`\b(?:he|she|they|it|ex|husband|boss|pain|dog|thoughts?|kids|neighbou?r)(?: (?:just|really|always|simply))* (?:wont|doesnt|will not|does not|never|didnt|to|should|would|could|can)(?: (?:ever|just))* (?:leave|let) me\b`,
    String.raw`\b(?:dont|do not) want to (?:miss|lose|be without|bother|disturb|trouble)\b`,
    String.raw`\b(?:i|we)(?: (?:have|am|still|just|only|am still))* (?:got|get|getting|received|had|have|see|saw|seeing) no (?:more|further)?\b`,
    String.raw`\bthere (?:are|were|is|have been|will be) no\b`,
    String.raw`\b(?:you|u|they|he|she|nobody|no one|people|it|that)(?: (?:just|really|guys|all|also))* (?:dont|do not|never|didnt|did not|havent|hardly|doesnt|cannot|cant)(?: (?:ever|even|need to|have to|actually|really))* (?:text|message|call|contact|write|send|answer|ring|phone|e ?mail|reply)(?!.*\b(?:again|any ?more)\b.*\b(?:ensure|sure)\b)\b(?<!sure you dont (?:text|message|call|contact|write|send))(?<!ensure you dont (?:text|message|call|contact|write|send))`,
    String.raw`\b(?:to|can|may|could) (?:unsubscribe|opt ?out|stop)(?: (?:from|of|receiving|getting|these|this|messages|texts|e ?mails|the|our|any time|anytime|at any time|future|further|list|mailing))* (?:click|reply|text|visit|follow|use|go to|send|press|write|see|by|at any)\b`,
    String.raw`\b(?:opt(?:ing|ed)? ?out) (?:of|from) (?:the |my |this |that |an? |having |taking |getting |doing )*(?!messages|texts?|sms|e ?mails?|notifications?|alerts?|reminders?|calls?|your|these|all|any|everything|future|further|receiving|it|mailings?|list|contact|being|communications?|marketing|updates|this$|that$)\w+`,
    String.raw`\b(?:not|never|didnt|dont|did not|accidentally|by accident|by mistake|mistakenly|wrongly)(?: \w+){0,3} (?:unsubscribed?|opt(?:ed)? out)\b|\b(?:unsubscribed|opted out)\b.*\b(?:accident|accidentally|mistake|mistakenly|not|wrongly)\b`,
    String.raw`\bno (?:messages?|texts?|sms|e ?mails?|calls|alerts|reminders|notifications)(?: (?:yet|today|came|arrived|so far|from (?!you\b)|received|since|in|on|at|for|was|were|have|has|showed|were sent|this|last|yesterday|there|now|about|until))`,
    String.raw`\bstop (?:messages|texts|sms)? ?(?:by|at|in|over|here|off|sign|bus|watch)\b`,
    String.raw`\b(?:bus|tram|train|metro|full|pit|next|last|short|non|first|whistle|rest|one) stops?\b`,
    String.raw`\b(?:remove|take|delete|drop|get)\b.*\b(?:waiting|wait|waitlist|appointment|class|guest|schedule|rota|standby|shopping|cast|stitches|sutures|course|team|roster|medication|drug)\b`,
    String.raw`\b(?:stop|quit|cancel|end|turn off|unsubscribe)(?: \w+){0,2} (?:my|the|that|a|this|his|her) (?:medication|meds|tablets?|pills?|treatment|appointment|bleeding|pain|insurance|membership|gym|medicine|drug|dose|antibiotics?|therapy|call with|meeting|smoking|visit|session)\b`,
    String.raw`\bstop (?:to )?(?:sending|writing) (?:my|the|his|her|a) (?:results?|records?|prescriptions?|bills?|invoices?|medication|meds|statements?)\b`,
    String.raw`\b(?:great|love|like|good|nice|thanks for|glad|enjoy|happy|appreciate)\b.*\b(?:dont|never|not) stop\b`,
  ),
  doubts: patterns(
    en,
    String.raw`\b(?:before|until|till|while|during|between|unless|today|tonight|tomorrow|for now|right now(?= i)|yet|so (?:often|early|late|much|frequently)|too (?:often|early|late)|twice|as often|(?:in|at) (?:the )?(?:morning|evening|night|weekends?|afternoon|work|noon|midnight|lunch|meeting|once)|at (?:\d|this (?:time|hour)|night)|after (?:\d|work|hours|dark|midnight|ten|nine|eight|lunch|my)|on (?:sundays?|saturdays?|weekends?|weekdays|mondays?|my (?:landline|work|old|other))|this (?:week|weekend|month|afternoon|evening)|next week|in the middle|every (?:day|hour|five|ten)|when (?:i|im|my|you)|if (?:i|my|its|the|you have)|about|regarding|by (?:post|mail|letter|fax)|in (?:spanish|english|french|german)|only if|except|other than|just (?:the|one)|on (?:\w+day)|a \w+ time|ill (?:text|call|write|message|ring|e ?mail)|i will (?:text|call|write|message|ring|e ?mail)|the wrong|duplicate|same|double|twice|in capitals|in caps|at least)\b`,
    String.raw`\bcalling me (?!any|again|on|at|please|pls|now|ever|every|all|so|and|you|thanks?|thank|i\b|constantly|or|back|stop|this|from|with|about|immediately|already|day|right|at once|it|for)\w`,
    String.raw`\b(?:remind(?:er)?s?|updates?|ads?|notifications?|messages|texts|e ?mails|alerts|news) (?:about|for|regarding|concerning|on) (?!my phone|this|it)`,
    String.raw`\b(?:consent|permission) (?:to|for) (?!(?:be |being |receive |receiving |get |getting |you |your |all |any |the |these )*(?:text|message|contact|sms|e ?mail|call|communic|market|send|sms|write|writ))\w`,
    String.raw`\bunsubscribe (?:me |us )?from (?:the |your |this |these |all |any |my |future |further |every |that )*(?!lists?|messages|texts?|sms|service|everything|e ?mails?|newsletters?|notifications|alerts|updates|reminders|program|programme|all|it|this|that|mailings?|you|here|text|anything|marketing|future|channel|promotions)\w`,
    String.raw`\bsubscription (?:to|for)\b`,
    String.raw`\b(?:what|happens?|who|which|whether|if i|should i|can i|may i|am i|do i|could i|must i|where|maybe|might|thinking)\b`,
    String.raw`\b(?:unsubscribe|remove|opt ?out) my (?:mother|mom|mum|father|dad|son|daughter|wife|husband|partner|child)\b`,
  ),
  both: [
    /\b(?:stop|quit|cease|discontinue|refrain|halt|enough|no more|cut (?:it )?out|knock it off|any ?more|no longer|(?:dont|do not|never|not) (?:want|need|wish|like)|unwanted|opting|get off|not allowed|not to)\b/u,
    /\b(?:messages|msgs|the texts|these texts|texts|txts|texting|messaging|spam|notifications|contact(?:ing)? me|texted|sms|e ?mails|mailings|(?:text|message|call|e ?mail|bother|contact) me|calling me|(?:this|your|the|that|texting|mailing|contact) list)\b/u,
  ],
  requests: /\b(?:can|could|would|will|why (?:dont|cant)) (?:you|u|someone|somebody)\b|\bplease\b/u,
};

const fi = {
  msg: String.raw`viest\w*|tekstiviest\w*|tekstari\w*|teksteja|teksti|sms\w*|ilmoituks\w*|muistutuks\w*|sahkopost\w*|meile\w*|meili\w*|mainoks\w*|uutiskirj\w*|spammi\w*|soitto\w*|soittoja|puheluita|puheluja|puhelut|yhteydenot\w*|markkinoin\w*|roskaposti\w*|tiedottei\w*`,
  act: String.raw`lahett\w*|lahettel\w*|viestittely\w*|viestitt\w*|tekstaa\w*|tekstailu\w*|soitt\w*|soittel\w*|laitta\w*|laittel\w*|spamm\w*|hairi\w*|kirjoit\w*|ottami\w*|yhteydenot\w*|meilaa\w*|kiusaa\w*|pommit\w*`,
};
const finnish: OptOutRules = {
  says: patterns(
    fi,
    String.raw`\b(?:lopeta|lopetakaa|lopettakaa|lopettakaapa|lopetappa|lopettaisit\w*|lopettakaas|lopetatte|lopetatteko|lopettamaan|keskeyta|keskeyttakaa|stop|seis)\b(?: \w+){0,4}? (?:{msg}|{act}|tama|nama)\b`,
    String.raw`\b(?:voit|voitte|voitteko|voitko|voisit|voisitte|voisitteko|voisitko|pyydan|pyydan teita|haluan|haluaisin|vaadin|pyytaisin|saisitteko|saisitko)\b(?: \w+){0,3}? (?:lopettaa|lopettamaan|lopettavan|keskeyttaa)(?: \w+){0,3}? (?:{msg}|{act})\b`,
    String.raw`\b(?:haluan|haluaisin|pyydan|toivon)\b(?: \w+){0,2}? (?:naiden|teidan|naista|kaikkien|viestien)?(?: ?\w+){0,2}? ?(?:viestien|lahettamisen|viestittelyn|soittelun) (?:loppuvan|lopettamista|paattyvan)\b`,
    String.raw`^(?:\w+ ){0,3}?(?:ala|alkaa|alkaapa|elkaa|alka|ela)(?: \w+){0,5}? (?:laheta|lahettako|lahetelko|lahettele|laita|laittako|laitelko|laittele|lahettaka)(?: \w+){0,4}? ?(?:{msg}|mitaan|enaa|enempaa|naita|mittaan)\b`,
    String.raw`^(?:\w+ ){0,3}?(?:ala|alkaa|alkaapa|elkaa|ela)(?: \w+){0,3}? (?:{msg}|enaa|mitaan|naita)(?: \w+){0,3}? (?:laheta|lahettako|lahetelko|lahettele|laita|laittako|laitelko|laittele)\b`,
    String.raw`^(?:\w+ ){0,3}?(?:ala|alkaa|alkaapa|elkaa|ela)(?: \w+){0,3}? (?:viestitelko|viestittele|viestita|viestittako|soita|soittako|soittele|soitelko|kirjoita minulle|kirjoittako|kirjoitelko|ota (?:\w+ )?yhteytta|ottako (?:\w+ ){0,2}?yhteytta|hairitse|hairitko|spammaa|spammatko|tekstaa|tekstatko|tekstailko|tekstaile|meilaa|meilatko|pommittako)\b`,
    String.raw`\b(?:en|emme)(?: \w+){0,2}? (?:halua|haluu|haluaisi|tahdo|toivo|tarvitse|kaipaa|hyvaksy|salli)\b(?: \w+){0,4}? ?(?:{msg}|kuulla|teilta mitaan)\b`,
    String.raw`\b(?:en|emme)(?: \w+){0,2}? (?:halua|haluaisi|tahdo|toivo|hyvaksy)\b(?: \w+){0,3}? (?:etta|kun)? ?(?:\w+ ){0,2}?(?:soitatte|soittelette|soitetaan|lahetatte|lahetetaan|viestitatte|otatte yhteytta|otetaan yhteytta|minuun otetaan|kirjoitatte|hairitsette|laitatte)\b`,
    String.raw`^(?:(?:kiitos|hei|moi|ok|joo|mulle|minulle|nyt|siis|ja|kiitti) ){0,3}ei (?:enaa |enempaa |lisaa |muita |mitaan |yhtaan |kiitos |naita |tallaisia |minulle |mulle |teidan )*(?:viesteja|tekstiviesteja|tekstareita|sms\w*|ilmoituksia|muistutuksia|sahkoposteja|mainoksia|soittoja|puheluita|yhteydenottoja|meileja|viesteja)\b`,
    String.raw`\b(?:poista|poistakaa|poistaisit\w*|poistatteko|poistatko|poistaa|pyyhkikaa|pyyhi|unohda|unohtakaa)\b(?: \w+){0,3}? (?:numeroni|numeron|puhelinnumeroni|yhteystietoni|sahkopostini|osoitteeni|tama numero|mun numero)\b`,
    String.raw`\b(?:poista|poistakaa|poistaisit\w*|poistatteko|poistatko|poistaa)\b(?: \w+){0,2}? (?:minut|mut|mua|meidat)(?: (?:kiitos|heti|nyt|pois|tasta|naista|teilta))*$`,
    String.raw`\b(?:poista\w*|ottakaa|ota|otatteko)\b(?: \w+){0,2}? (?:minut|mut|mua|tietoni|nimeni|numeroni|meidat)\b(?: \w+){0,3}? (?:list\w*|rekister\w*|jarjestelm\w*|postituslist\w*|tietokan\w*|viesti\w*|jakelu\w*)\b`,
    String.raw`\b(?:peru|perukaa|perun|peruuta|peruutan|peruuttakaa|peruuttaa|perua|perumme|haluan perua|irtisanon|lopetan|lopettaa|paattakaa)\b(?: \w+){0,3}? (?:tilau\w*|viestitilau\w*|viestipalvelu\w*|tekstiviestitilau\w*|tekstiviestipalvelu\w*|smspalvelu\w*|palvelunne|postituslist\w*|uutiskirj\w*|suostumu\w*|viestit|tekstiviestit|viestien\w*|lupani|sms tilau\w*|sms palvelu\w*)\b`,
    String.raw`\bjat(?:a|takaa|atte|takaahan)(?: \w+){0,1} (?:minut|mut|meidat|mua|minua) (?:\w+ )?(?:rauhaan|rauhassa)\b`,
    String.raw`\b(?:kiellan|kiellamme|estakaa)\b(?: \w+){0,4}? ?(?:{msg}|{act}|yhteydenotot|suoramarkkinoin\w*)\b`,
    String.raw`\b(?:riittaa|riitti|nyt riitti|tarpeeksi|loppu)(?: \w+){0,2}? (?:naita|naille|nama|nailla|viesti\w*|tekstiviest\w*|spammi\w*)\b`,
    String.raw`\b(?:viestit|viestien|viestittely|lahettely|soittelu|tekstiviestit)(?: \w+){0,2}? (?:saavat|saa|on|pitaa|taytyy|tulee) (?:nyt )?(?:loppua|lopettaa|loputtava|lopetettava)\b`,
    '^(?:(?:nyt|kiitos|ole|olkaa|hyva|voisitteko|voitteko|voisitko|voitko|pyydan|no|hei) )*(?:lopeta|lopettakaa|lopettaa|lopetatteko|lopettakaapa|seis|stop)(?: (?:jo|nyt|heti|kiitos|tama|kaikki|ole|hyva|valittomasti|pyydan|lopultakin|lopeta))*$',
    String.raw`\b(?:perun|peruutan|peruuttaa|perua|vedan)(?: \w+){0,2}? (?:suostumukseni|lupani|suostumuksen)\b`,
  ),
  hints: patterns(
    fi,
    String.raw`\b(?:vaara|vaaraan|vaarassa|vaaralla) (?:numero\w*|henkilo\w*)\b`,
    String.raw`^(?:(?:jo|nyt|no) )*(?:riittaa|riitti|poista|hairitsette|antakaa olla|anna olla|roskapostia|spammia|menkaa pois|haipykaa|haivy|painu\w* \w+)(?: (?:jo|nyt|kiitos|tama))*$`,
    String.raw`^(?:miten|kuinka|mista|mitenka)\b(?=.*\b(?:lopet\w*|peru\w*|poist\w*|paas\w*|estan|estaa)\b).*\b(?:{msg}|listal\w*|tilauk\w*)\b`,
    String.raw`\b(?:liikaa|liian monta|kyllastynyt|kurkkua myoten|arsyttav\w*|hairitsev\w*)\b(?:.*\b(?:{msg})\b)`,
    String.raw`\b(?:estan|blokkaan|ilmoitan|estin)\b(?: \w+){0,2}? (?:numeron|taman|teidat|roskapostiksi)\b`,
    String.raw`\ben ole (?:koskaan )?(?:tilannut|pyytanyt|antanut lupaa)\b`,
  ),
  never: patterns(
    fi,
    String.raw`\b(?:ala|alkaa|ei|en|emme|et|ette|eivat|ela|elkaa|eiko|ettek?o|etko)\b(?: \w+){0,4}? (?:lopet\w+|loppu\w*|loppua|peru\w*|poist\w*|keskeyt\w*)(?<!lopettanut)\b`,
    String.raw`\b(?:miksi|milloin|koska|jos|kun)\b(?: \w+){0,3}? (?:lopetitte|lopetit|lopetettiin|loppui|loppuivat|lopetti)\b`,
    String.raw`\b(?:en|emme)\b(?: \w+){0,2}? (?:halua|haluaisi|tahdo)\b(?: \w+){0,2}? (?:missata|menettaa|unohtaa|hairita|jaada|vaivata)\b`,
    String.raw`\b(?:en|emme)\b(?: \w+){0,2}? (?:saanut|saa|ole saanut|nahnyt|ymmarra|ymmartanyt|lukenut|ehtinyt)\b`,
    String.raw`\bei\b(?:.*\b(?:tullut|tullu|saapunut|tule|tulee|nay|saanut|ole|ollut|toimi|toiminut|perille|mennyt|nakyny|nakynyt|lahde|lahtenyt))\b`,
    String.raw`\b(?:lopeta\w*|lopettaa|peru\w*)\b(?: \w+){0,2}? (?:laak\w*|tupak\w*|tabletti\w*|hoito\w*|hoidon|ajan|aikani|varau\w*|kuur\w*|antibioot\w*|juomi\w*|syomi\w*)\b(?!.*\b(?:viest|sms)\w*)`,
    String.raw`\bpoist\w*\b(?:.*\b(?:tikit|tikkien|jonosta|jono\w*|ajanvara\w*|ryhma\w*|kurssi\w*|tunnilta|luom\w*|kipsi\w*|ompele\w*|hammas|hampaan|vastaanot\w*))\b`,
    String.raw`\b(?:han|aiti|isa|mies|vaimo|poika|ex|naapuri|exani|pomo)\b(?: \w+){0,3}? (?:ei|lopet\w*|ei lopeta|jata)\b`,
    String.raw`\bjat\w+\b(?: \w+){0,3}? (?:viestin|viesti|numeron|soittopyyn\w*)\b`,
    String.raw`\b(?:ala|alkaa)\b(?: \w+){0,2}? jata\w*\b`,
  ),
  doubts: patterns(
    fi,
    String.raw`\b(?:ennen|jalkeen|klo|kello|ollessa\w*|yolla|oisin|aamulla|aamuisin|illalla|iltaisin|huomenna|tanaan|viikonlop\w*|juuri nyt|kun|jos|vaan|toissa|lomalla|asti|saakka|sunnuntai\w*|lauantai\w*|maanantai\w*|perjantai\w*|niin usein|niin aikaisin|liian|viela|puolesta|koskien|liittyen|postitse|kirjeella|paitsi|sijaan|mieluummin|kokouks\w*|aikana|monta kertaa|kahdesti|tuplana|aikaisin|myohaan|aitini|isani|kesken|englanniksi|ruotsiksi|suomeksi|vanhaan|vanhalle|tyonumero\w*|lehden|lehti\w*|aiheesta)\b`,
    String.raw`\b(?:miten|mita|voiko|voinko|saako|pitaako|kannattaako|ehka|kuka|mika)\b`,
  ),
  both: [
    /\b(?:lopet\w*|lopu\w*|riitta\w*|en (?:enaa )?(?:halua|tahdo|anna|hyvaksy)|ei saa|kiell\w*|kiella\w*|enaa|enempaa|pois|tarpeeksi|perua|peru\w*|ala|alkaa|seis|vastustan)\b/u,
    /\b(?:viestej\w*|viestit\w*|viestien|viestittel\w*|tekstiviest\w*|tekstarei\w*|sms\w*|mainoks\w*|spamm\w*|yhteydenot\w*|minuun yhteytta|soittelu\w*|listal\w*|postituslist\w*|hairint\w*)\b/u,
  ],
  requests:
    /\b(?:voi(?:t|tte|sit|sitte)\w*ko|voisit\w*|lopettaisit\w*|lopetat\w*ko|poistaisit\w*|poistat\w*ko|saisit\w*)\b/u,
};

const sv = {
  msg: 'sms|smsen|sms et|meddelanden?|meddelandena|mess|notiser|aviseringar|paminnelser|utskick|utskicken|mejl|mail|epost|e post|nyhetsbrev|reklam|spam|skrap|samtal|samtalen|telefonsamtal|textmeddelanden',
  act: 'skicka|skicka ut|smsa|sms a|messa|texta|kontakta|ringa|mejla|maila|skriva|spamma|stora|trakassera|hora av er|hora av dig|tjata|besvara',
};
const swedish: OptOutRules = {
  says: patterns(
    sv,
    String.raw`\b(?:sluta|slutar|upphor|stoppa|stopp|avsluta|avbryt|stop|lagg av)(?: (?:genast|nu|upp|med|att|er|ni|tack|for|alla|era|dessa|de har|snalla|omedelbart|bara|allt|mig|dina|de|den har|har|har med|och|med att))* (?:{act}|{msg})\b`,
    String.raw`\b(?:skicka|sand)(?: (?:till|mig|oss|mej|ut|snalla|tack))* (?:inte|inga|aldrig|ej|inget|ingenting)\b(?: (?:mer|mera|fler|nagra|langre|till mig|mig|flera|av|era|dessa|mer till mig|igen))*(?: (?:{msg}|mer|mera|langre|igen|till mig))?(?: (?:tack|snalla))*$`,
    String.raw`\b(?:skicka|sand)(?: (?:till|mig|oss|mej))* (?:inte|inga|aldrig|ej)(?: (?:mer|mera|fler|nagra|langre|mig|flera|era|dessa|till))* (?:{msg}|mer|mera|langre)\b`,
    String.raw`\b(?:ring|kontakta|smsa|sms a|messa|texta|mejla|maila|stor|spamma|besvara)(?: (?:till|mig|oss|mej))+ (?:inte|aldrig|ej)\b`,
    String.raw`\b(?:ring|kontakta|smsa|sms a|messa|texta|mejla|maila|stor|spamma|besvara) (?:inte|aldrig|ej)(?: (?:till|hit))* (?:mig|oss|mer|mera|langre|igen)\b`,
    String.raw`\b(?:skriv)(?: (?:till|mig|oss|mej))* (?:inte|aldrig|ej)(?: (?:mer|mera|langre|till mig|igen|mer till mig))+`,
    String.raw`\bhor (?:inte|aldrig) av (?:er|dig)\b`,
    String.raw`^(?:(?:tack|snalla|nej|hej|ok|och|jag vill ha|skicka) )*(?:inga|inte fler|inte mer|nog med|slut med|nog)(?: (?:fler|flera|mer|mera|av|era|dessa|de har|nya|med))* (?:{msg})\b`,
    String.raw`\b(?:vill|onskar|behover|orkar|onskade|tanker)(?: (?:jag|vi|verkligen|absolut|helst))* (?:inte|ej|aldrig|inga|slippa|inte langre|inte mer)(?: (?:langre|ha|fa|mer|mera|fler|flera|era|dessa|de har|dom har|alla|ta|emot|ta emot|nagra|bli|ens|mottaga|motta|av|sadana|har|lasa|att ni|att du|att|ni))* (?:{msg}|{act}|kontaktad|kontaktas|uppringd|stord|skickar|ringer|smsar|messar|kontaktar|skriver|mejlar|hora fran er|hora av er)\b`,
    String.raw`\bvill (?:jag )?(?:sluta|slippa|avsluta|stoppa|avbryta)(?: (?:att|med|ha|fa|fler|era|dessa|alla|de har|mina|mer|dina|av))* (?:{msg})\b`,
    String.raw`\b(?:ta|tag|plocka|radera|stryk) (?:bort |ur )?(?:mig|mitt (?:nummer|telefonnummer|namn|mobilnummer)|mina (?:uppgifter|kontaktuppgifter)|min (?:mejl|mail|epost|adress)|det har numret|numret)\b`,
    String.raw`\b(?:ta|tag) (?:mig|mitt nummer|mitt namn) (?:bort |ur |av )?(?:fran|ur|bort|av)\b`,
    String.raw`\b(?:avregistrera|avanmal|avanmala|avprenumerera|avregistrering|avanmalan|avbestalla|avbestall|avregistreras|avsluta (?:min |mitt |mina )?(?:prenumeration\w*|abonnemang\w*|utskick\w*|sms|sms tjanst\w*))\b`,
    String.raw`\b(?:lamna|lat) (?:mig|oss) (?:vara )?(?:i fred|ifred|vara|i ro)\b`,
    String.raw`\b(?:aterkallar|aterkalla|drar tillbaka|tar tillbaka)(?: (?:harmed|jag))* (?:mitt|min|allt|alla) (?:samtycke|medgivande|tillatelse)\b`,
    String.raw`\b(?:glom|slang|tappa bort) mitt (?:telefon|mobil)?nummer\b`,
    String.raw`\b(?:undanber|avbojer|avsaga|avsager|(?:tackar|sager) nej till)(?: (?:jag|mig|oss))*(?: (?:alla|fler|vidare|ytterligare|era|fortsatta))* (?:{msg}|kontakt)\b`,
    '^(?:(?:snalla|nu|kan ni|kan du|kan|ni|du|tack|hej|men|nej|bara) )*(?:sluta|stopp|stoppa|lagg av|stop)(?: (?:nu|tack|genast|snalla|med det|med det har|for fan|omedelbart|upp|detta|det har|direkt))*$',
  ),
  hints: patterns(
    sv,
    String.raw`\bfel (?:nummer|person)\b`,
    '^(?:(?:nu|det|ok) )*(?:racker|det racker|nog nu|nog|spam|dra at helvete|stick|ga bort|inget mer|inte mer|fler inte|inga fler)(?: (?:nu|tack))*$',
    String.raw`\b(?:hur|var)\b(?: \w+){0,4}? (?:avregistrer\w+|avanmal\w+|avprenumerer\w+)\b`,
    String.raw`\bhur\b(?: \w+){0,4}? (?:avslutar?|stoppar?|slutar?|slippe?r?|slippa|tar bort)(?: \w+){0,4}? (?:{msg})\b`,
    String.raw`\b(?:for manga|trott pa|less pa|irriterande|jobbigt med)\b(?: \w+){0,3}? ?(?:{msg})\b`,
    String.raw`\b(?:blockerar|anmaler|blockera|sparrar)\b(?: \w+){0,2}?(?: (?:er|numret|nummer|detta|avsandaren|det har))?$`,
    String.raw`\bhar (?:aldrig|inte) (?:bett om|anmalt|godkant|bestallt|samtyckt)\b`,
  ),
  never: patterns(
    sv,
    String.raw`\b(?:sluta|stoppa|slutar|avsluta|ta|avregistrera|upphor|avbryt|stryk|avanmal) (?:\w+ )?(?:inte|aldrig|ej)\b`,
    String.raw`\b(?:inte|aldrig|kan inte|vill inte|ej|varfor|nar)\b(?: (?:jag|ni|du|att|vill|kan|ska|bor|borja|de|har))* (?:sluta|slutar|slutade|slutat|stoppa|stoppade|avsluta|avregistrera|avregistrerad|upphor|upphorde|slutas)\b`,
    String.raw`\b(?:inte|aldrig)\b(?: (?:missa|vill missa|ga miste|glomma|stora er|stora dig|besvara er|missa nagra))\b`,
    String.raw`\bvill (?:jag )?inte (?:missa|stora|besvara|glomma|ga miste)\b`,
    String.raw`\b(?:jag|vi|hon|han|de|mamma|pappa|min \w+)(?: (?:ska|skall|maste|borde|kommer att|behover|har|forsoker|kan|bor|tanker))* (?:slutat?|slutade|sluta)(?: (?:att|med))* (?:roka|ta|skriva till|ringa till|smsa honom|smsa henne|messa|snusa|ata|dricka|smsa|ringa)\b`,
    String.raw`\b(?:fick|far|har fatt|kom|kommit|finns|fanns|sett|ser)(?: (?:jag|vi|det|inte))* (?:inga|inget|inte nagra)\b`,
    String.raw`\binga(?: (?:fler|mer|nya))* (?:{msg})(?: (?:har|kom|kommer|idag|an|igar|finns|syns|an sa lange))`,
    String.raw`\b(?:ta bort|ta|avbestall\w*|avregistrera|stryk)\b(?:.*\b(?:stygn\w*|vantelist\w*|kon|tiden|bokning\w*|kurs\w*|gruppen|klassen|passet|gips\w*|tand\w*|gympa\w*|tid))\b`,
    String.raw`\b(?:han|hon|de|mitt ex|mannen|grannen|chefen)\b(?: \w+){0,3}? (?:lamna|lamnar|slutar|sluta|ringa)\b`,
    String.raw`\b(?:sa|sag|bad|ber|be) (?:at |till )?(?:honom|henne|dem|min \w+|mitt ex)(?: att)? (?:sluta|inte)\b`,
    String.raw`\blamna(?: \w+)? (?:mig|oss) inte\b`,
  ),
  doubts: patterns(
    sv,
    String.raw`\b(?:fore|innan|efter|klockan|kl|pa natten|natten|nattetid|kvallen|kvallar|morgonen|idag|i dag|imorgon|i morgon|pa helgen|helgen|helger|under|just nu|nar|om|utan|istallet|i stallet|hellre|sa ofta|sa tidigt|sa sent|angaende|gallande|pa jobbet|jobbet|forran|tills|medan|mellan|pa sondagar|sondag\w*|lordag\w*|mandag\w*|fredag\w*|per post|med post|dubbla|samma|engelska|svenska|tva ganger|for tidigt|for sent|aven|hemtelefonen|gamla|mamma|pappa|min man|min fru|tidningen|tidning)\b`,
    String.raw`\b(?:hur|vad|vem|kanske|borde jag|kan jag|far jag|ska jag|maste jag)\b`,
  ),
  both: [
    /\b(?:sluta|slut|stoppa?|upphor\w*|avsluta|nog|slippa|vill inte|onskar inte|inga fler|inte mer|langre|lagg av|avbojer|undanber|trott|far inte)\b/u,
    /\b(?:sms\w*|meddelanden\w*|utskick\w*|notiser|paminnelser|messa\w*|texta\w*|kontakta(?:d|s)?|mejl\w*|spam\w*|hora av er|ringa mig|er lista|listan)\b/u,
  ],
  requests: /\b(?:kan|kunde|skulle|vill) (?:ni|du)\b|\bsnalla\b/u,
};

const de = {
  msg: 'nachrichten?|sms|smsen|textnachrichten?|texte|mails?|e ?mails?|newsletter|benachrichtigungen|erinnerungen|werbung|spam|anrufe?|meldungen|mitteilungen|post|whatsapp|infos von ihnen',
  act: 'schreiben|texten|simsen|schicken|senden|kontaktieren|anzurufen|anrufen|belastigen|nerven|zuzutexten|zu schreiben|zu schicken|zu senden|zu kontaktieren|zu belastigen|zu nerven|zu texten|zu simsen|zu storen|storen|vollzuspammen|zu spammen|zuzuspammen|zu melden|anzuschreiben|anschreiben|zuzusenden|zusenden|zuschicken|zuzuschicken|zu verschicken|mailen|zu mailen',
};
const german: OptOutRules = {
  says: patterns(
    de,
    String.raw`\b(?:hor|hore|hort|horen sie|horen|horst du|wurden sie|konnten sie|konnt ihr|konnen sie|kannst du|konntet ihr|konntest du)\b(?: \w+){0,3}? ?(?:auf|aufhoren)\b(?: \w+){0,6}? ?(?:{act}|{msg})\b`,
    String.raw`^(?:\w+ ){0,4}?(?:schreib|schreibe|schreibt|schreiben sie|schreiben|text|simst|simse|kontaktier|kontaktiere|kontaktiert|kontaktieren sie|kontaktieren|meldet euch|melden sie sich|meld dich|belastig|belastige|belastigt|belastigen sie|storen sie|store|stort|nerv|nervt|nerven sie|spammt|mailen sie|mail|mailt)(?: (?:sie|mir|mich|uns|bitte|doch|endlich|einfach|ab|jetzt|sofort|bei|ja|nun))* (?:nicht|nie|niemals|keine?n?)(?: (?:mehr|wieder|weiteren?|an|wieder an|langer|erneut|weiter|ofter))+`,
    String.raw`^(?:\w+ ){0,4}?(?:kontaktier|kontaktiere|kontaktiert|kontaktieren sie|belastig|belastige|belastigt|belastigen sie|storen sie|schreiben sie|schreibt|schreib) (?:mir|mich|uns|bitte)(?: (?:bitte|doch))* (?:nicht|nie)(?: (?:mehr|wieder))*$`,
    String.raw`\b(?:schick|schicke|schickt|schicken sie|schicken|send|sende|sendet|senden sie|senden|schreib|schreibt|schreiben sie|verschicken sie)(?: (?:sie|mir|uns|bitte|doch|endlich|ab|jetzt|sofort|an|nummer|diese))* (?:keine?n?|nie|niemals|nichts)(?: (?:mehr|weiteren?|solchen?|dieser|dieses|diese|eurer|ihrer|deiner|von|sms|art|wieder))*(?: (?:{msg}|mehr))\b`,
    String.raw`\b(?:ruf|rufe|ruft|rufen sie|rufen)(?: (?:mich|uns|bitte|doch|endlich|hier|ab|jetzt|diese|nummer))* (?:nicht|nie|niemals|keinesfalls)(?: (?:mehr|wieder|noch|einmal|hier|weiter))* an\b`,
    String.raw`\b(?:streichen|streich|streicht|loschen|losch|losche|loscht|entfernen|entferne|entfernt|vergessen|vergiss|vergesst)(?: (?:sie|bitte|doch|endlich|sofort|umgehend))* (?:meine?n? (?:telefon|handy|mobil)?(?:nummer|daten|kontaktdaten|namen|adresse|email|mailadresse)|diese nummer)\b`,
    String.raw`\b(?:nehmen|nimm|nehmt|streichen|streich|streicht|loschen|losch|losche|loscht|entfernen|entferne|entfernt|tragen|trag|tragt|werfen|werft)(?: (?:sie|bitte|doch|endlich|sofort|umgehend))* (?:mich|uns|meine \w+|diese nummer)(?: (?:bitte|sofort|endlich|umgehend|sms|der|dem|den|ihrer|ihrem|eurer|eurem|aus|von|vom))* (?:verteiler\w*|(?:mailing|sms|adress|kontakt|versand)?listen?|datenbank|system|kartei)\b`,
    String.raw`^(?:(?:bitte|ich will|ich mochte|danke|nein|ok|hallo|und|ab jetzt|ab sofort|wir wollen|wir mochten) )*(?:keine|keinerlei|schluss mit(?: den| diesen| euren| ihren)?|genug von(?: den| diesen| euren| ihren)?)(?: (?:weiteren?|mehr|solchen?|ihrer|eurer|deiner|automatischen|diese|dieser|sms|werbe))* (?:{msg})\b`,
    String.raw`\b(?:mochte|mochten|will|wollen|wunsche|wunschen|brauche|brauchen|hatte gern|verzichte)\b(?: (?:ich|wir|bitte|ab sofort|ab jetzt|in zukunft|kunftig|zukunftig|wirklich|uberhaupt|sie|diese|ihre|eure|die|von ihnen|von euch|auf|jegliche))* ?(?:keine|keinerlei|keinen|nicht|nichts|nie|auf|keine mehr)(?: (?:mehr|weiteren?|langer|wieder|ihrer|eurer|diese|solchen?|von|ihnen|euch|die|ihre|eure|jemals|werbe|uber sms|per sms|sms|automatischen|kunftig))* (?:{msg}|kontaktiert|angerufen|angeschrieben|belastigt|gestort|angesimst|angetextet|horen|kontakt|benachrichtigt|erinnert werden|angemailt|zugespammt)\b`,
    String.raw`\b(?:will|mochte|mochten|wollen|wunsche|wunschen)\b(?: (?:ich|wir|bitte|ab sofort))* (?:nicht|nie)(?: (?:mehr|langer|wieder))* dass (?:sie|ihr|du|man) (?:mir|mich|uns)\b`,
    String.raw`\b(?:mochte|will|wurde gern\w*|wollte|mochten)\b(?: (?:ich|mich|bitte|hiermit|von|den|diesen|ihren|euren|dieser|dem|der|sms|die|meine|das|mein|ihre|eure|diese|diesem|newsletter|nachrichten|liste|verteiler|dienst|service|abo|nun))* (?:abmelden|abbestellen|austragen|kundigen|loschen lassen|abschalten|stoppen|deaktivieren)\b`,
    String.raw`\b(?:meld|melde|meldet|melden sie|trag|trage|tragt|tragen sie|nimm|nehmen sie)(?: (?:ich|mich|uns|bitte|hiermit|sofort|von|den|diesen|ihren|dieser|dem|der|nachrichten|sms|liste|verteiler|dienst|newsletter))* (?:ab|aus|raus|heraus)\b$`,
    String.raw`\b(?:stopp|stoppt|stoppe|stoppen sie|stoppen|beenden sie|beende|beendet|unterlassen sie|unterlasst|stellen sie|schalten sie|stell|stellt|einstellen|abbestellen|abstellen|deaktivieren sie|canceln sie|kundige|kundigen sie)(?: (?:sie|bitte|mit|die|den|das|diese|dieses|ihre|eure|alle|weitere|jegliche|sofort|endlich|mein|meine|sms|zusendung|der|von|zusendung von|mir|das senden|versand))* (?:{msg}|{act}|sms|kontakt\w*|abo|belastigung\w*|zusendung\w*|benachrichtigungen|versand|sms abo|sms service|sms dienst|nachrichtendienst)\b`,
    String.raw`\b(?:lass|lasst|lassen sie)(?: (?:mich|uns|bitte|doch|endlich))* (?:in ruhe|in frieden|zufrieden)\b`,
    String.raw`\b(?:widerrufe|ziehe|widerruf)(?: (?:ich|hiermit|meine|die|jede|jegliche|meiner))* (?:einwilligung|zustimmung|erlaubnis|einverstandnis)\b`,
    String.raw`\b(?:verbiete|untersage)(?: (?:ich|ihnen|euch|hiermit|mir|jede|weitere|jegliche|jeden|weiteren))* (?:{msg}|kontakt\w*|{act}|kontaktaufnahme)\b`,
    '^(?:(?:bitte|jetzt|endlich|sofort|konnen sie|konnt ihr|kannst du|danke|hallo|das|alles|nun) )*(?:stopp|stop|aufhoren|hort auf|horen sie auf|hor auf|abmelden|abbestellen|austragen|abmeldung|schluss)(?: (?:bitte|jetzt|damit|danke|sofort|endlich|mit|dem|scheiss|quatsch|mich|von|allem|das|und|sms|nachrichten))*$',
    String.raw`\baufhoren mit(?: (?:dem|den|der|diesen|euren|ihren|eurem|ihrem|der|scheiss))* (?:{msg})\b`,
    String.raw`\bwiderspreche(?: (?:ich|hiermit|der|dem|den|jeder|jeglicher|weiteren?|weiterer|zusendung|von|ihrer|eurer))* (?:{msg}|zusendung|kontakt\w*)\b`,
    String.raw`\b(?:nicht|nie) mehr (?:anschreiben|schreiben|kontaktieren|anrufen|belastigen|simsen|texten|senden|schicken|storen|melden|anmailen)$`,
  ),
  hints: patterns(
    de,
    String.raw`\bfalsche (?:nummer|person)\b|\bverwahlt\b|\bfalschen (?:nummer|person)\b`,
    String.raw`^(?:(?:jetzt|mir|es|das|nun) )*(?:reicht|reicht es|reichts|genug|genug jetzt|spam|verpiss\w* \w+|haut ab|hau ab|ruhe|keine mehr|nicht mehr|nervt)(?: (?:jetzt|bitte|danke|mir|es|nur|langsam))*$`,
    String.raw`\b(?:wie|wo)\b(?: \w+){0,5}? (?:abmelden|abbestellen|melde ich mich|austragen|trage ich mich)\b`,
    String.raw`\bwie\b(?: \w+){0,3}? (?:stoppe|beende|kundige|verhindere|bestelle|stelle|werde|kann|blockiere)(?: \w+){0,5}? (?:{msg})\b`,
    String.raw`\b(?:zu viele|so viele|nerven|nervt|genervt|satt|leid|kein(?:en|e)? (?:bock|lust|interesse))\b(?: \w+){0,4}? ?(?:{msg})\b`,
    String.raw`\b(?:{msg})\b(?: \w+){0,2}? (?:nerven|nervt|storen|reichen mir)\b`,
    String.raw`\b(?:blockiere|sperre|blocke|melde)\b(?: \w+){0,2}? (?:nummer|sie|euch|spam|absender)\b`,
    '^ich (?:will|mochte) (?:das|sowas|so was|so etwas) nicht (?:mehr|langer)(?: (?:bekommen|kriegen|erhalten|haben|lesen))?$',
    String.raw`\b(?:das|es|dies|die) (?:hier )?(?:wieder )?abbestellen$|^ich bestelle (?:das|es|dies|die) (?:hier )?(?:wieder )?ab$`,
    String.raw`\b(?:habe|hab)\b(?: \w+){0,3}? (?:nie|nicht) (?:zugestimmt|angemeldet|bestellt|eingewilligt|darum gebeten|erlaubt)\b`,
  ),
  never: patterns(
    de,
    String.raw`\b(?:hor|hore|hort|horen)(?: (?:sie|bitte|ja|blos|bloss|doch|ihr))* nicht(?: \w+){0,2} auf\b|\bnicht(?: \w+){0,3} (?:aufhoren|aufhort|aufzuhoren|abmelden|abbestellen|kundigen|stoppen|austragen|einstellen|beenden|loschen|streichen)\b`,
    String.raw`\b(?:stoppen|beenden|loschen|streichen|melden|kundigen|lassen|nehmen|stoppt|loscht|streicht|lass|lasst|meld)(?: (?:sie|mich|uns|bitte|die|nachrichten|sms|meine|nummer|ja|doch|diese|den|termin|erinnerungen))* (?:nicht|nie)(?! (?:mehr )?(?:in ruhe|kontakt))(?: (?:ab|aus|allein|im stich|raus|von der liste))?$`,
    String.raw`\b(?:warum|wieso|weshalb|wann|seit|weil|bevor|nachdem)\b(?: \w+){0,4}? (?:nicht|keine|aufgehort|aufhoren|gestoppt|abgemeldet|eingestellt)\b`,
    String.raw`\b(?:sie|ihr|er|sie alle|niemand|keiner|man|du) (?:schreibt|schreiben|schreibst|ruft|rufen|rufst|schickt|schicken|schickst|meldet|melden|meldest|antwortet|antworten) (?:sich|mir|mich|uns|dich|euch)? ?(?:\w+ )?(?:nicht|nie|keine)\b`,
    String.raw`\bich (?:schreibe|rufe|schicke|sende|melde mich|hore|kontaktiere|stoppe)\b(?!(?: \w+){0,4} (?:ab|aus)$)(?: \w+){0,3}? ?(?:nicht|keine|auf|nie)\b`,
    String.raw`\b(?:habe|hab|haben|bekomme|bekam|erhalte|erhielt|bekommen wir|kriege|kamen|kommen|gibt es|sehe|gab es|finde)\b(?: (?:ich|wir|bisher|noch|heute|seit|gestern|leider|uberhaupt|da|bis jetzt|wochen|tagen|jetzt))* (?:keine|keinerlei|nichts|gar keine)\b(?!.* (?:wunsch|lust))`,
    '^(?:bisher |noch |heute |leider |gestern )*keine (?:neuen? )?(?:{msg})(?: (?:bekommen|erhalten|da|angekommen|bisher|heute|mehr (?:bekommen|erhalten|gekommen)|gekommen|gesehen|vorhanden|fur heute))',
    String.raw`\b(?:mochte|will|wollte)(?: (?:ich|wir|bitte))* (?:nicht|keine|keinen)(?: (?:storen|die|ihre|eure|mehr|weiteren?))*(?: (?:{msg}|termin))?(?: \w+)? ?(?:verpassen|storen|verlieren|missen|uberhoren|versaumen)\b`,
    String.raw`\b(?:loschen|streichen|entfernen|nehmen|abmelden|melde|kundigen|kundige|abmelden|abbestellen|melden|austragen|trage|tragen|beenden|absagen|stoppen)\b.*\b(?:warteliste|termin\w*|kurs\w*|gruppe|unterricht|faden|medikament\w*|tabletten|rezept\w*|schule|sport\w*|vertrag|versicherung|fitness\w*|therapie|blutung|gips|zahn|training|auto|zeitung|arbeit)\b`,
    String.raw`\b(?:er|sie|mein \w+|der \w+|die \w+|nachbar|hund|ex|chef|schmerzen?)(?: \w+){0,2} (?:hort|horen|lasst|lassen)\b(?: (?:mich|einfach|uns))* nicht\b`,
    String.raw`\b(?:ihm|ihr|ihnen|ihn|meinem \w+|meiner \w+) (?:gesagt|sagen|bitten|gebeten)\b`,
    String.raw`\b(?:ich|wir) (?:kann|konnte|konnen|konnten)(?: \w+){0,3} nicht\b`,
    String.raw`\blass(?:t|en sie)? mich (?:bitte )?nicht\b`,
    String.raw`\bschreib\w*\b.*\b(?:nicht|nie) (?:so|mit|auf (?:englisch|deutsch)|gross|klein)\b`,
  ),
  doubts: patterns(
    de,
    String.raw`\b(?:vor|nach|um|uhr|bis|heute|nachts|abends|morgens|in der nacht|am (?:wochenende|abend|morgen|sonntag|samstag|montag|freitag)|wahrend|zwischen|gerade|solange|wenn|falls|sondern|lieber|stattdessen|statt|so (?:oft|fruh|spat|viele)|zu (?:fruh|spat|oft)|uber (?:das|den|die)|bezuglich|wegen|per (?:post|brief|fax)|auf (?:der arbeit|englisch|deutsch|dem festnetz)|bei der arbeit|nur|ausser|doppelt\w*|zweimal|dieselbe\w*|gleiche\w*|immer|sonntags|samstags|mittags|diese woche|nachste woche|nachsten|urlaub|sitzung|tagsuber|festnetz|noch nicht|alte nummer|meine mutter|meinem vater|mein mann|meine frau)\b`,
    String.raw`\b(?:einwilligung|zustimmung|erlaubnis)(?: \w+)? (?:zur|zum|zu der|in die|fur die) (?!kontakt|sms|nachricht|werbung|zusend|kommunikation|benachrichtig)\w`,
    String.raw`\b(?:was|wie|wo|wer|darf ich|soll ich|kann ich|muss ich|vielleicht|ob)\b`,
  ),
  both: [
    /\b(?:aufhoren|aufzuhoren|hor\w* (?:\w+ )?auf|stopp\w*|stop|genug|nicht mehr|nichts mehr|nie (?:mehr|wieder)|keine\w*|beend\w*|einstell\w*|einzustellen|unterlass\w*|schluss|verzicht\w*|sparen|unerwunscht\w*)\b/u,
    /\b(?:nachrichten|sms|textnachrichten|werbung|newsletter|mir (?:\w+ ){0,2}(?:zu )?(?:schreiben|texten|simsen|schicken|senden)|mich (?:\w+ ){0,2}(?:zu )?(?:kontaktieren|anrufen|anzurufen|anschreiben)|von (?:euch|ihnen) (?:\w+ ){0,2}horen|verteiler|kontaktaufnahme)\b/u,
  ],
  requests:
    /\b(?:konnen|konnten|wurden|konnt|konntet|kannst|konntest|wurdet|wollen) (?:sie|ihr|du)\b|\bbitte\b|\bhoren sie\b/u,
};

const fr = {
  msg: 'messages?|sms|textos?|textes?|mails?|e ?mails?|courriels?|newsletters?|notifications?|rappels|alertes?|pubs?|publicites?|spams?|appels?|infolettres?|relances?|sollicitations?|mms',
  act: 'envoyer|envois|ecrire|contacter|appeler|harceler|texter|relancer|deranger|spammer|solliciter|telephoner|importuner|embeter|adresser|menvoyer|mecrire|mappeler|menvoier|mimportuner|membeter|mharceler|nous envoyer',
  imp: 'menvoyez|menvoie|menvoies|mecrivez|mecris|mappelez|mappelle|mappelles|me contactez|me contacte|me contactes|me telephonez|me textez|me texte|me derangez|me derange|me harcelez|me relancez|me sollicitez|mimportunez|me spammez|membetez|me mandez|menvoye|nous envoyez|nous contactez|nous appelez|madressez|me joignez',
};
const french: OptOutRules = {
  says: patterns(
    fr,
    String.raw`\b(?:arretez|arrete|arreter|arretes|cessez|cesse|cesser|stoppez|stoppe|stop|finissez)(?: (?:svp|maintenant|immediatement|donc|tout de suite|sil vous plait|sil te plait|avec|tous|tout))* (?:de |d)?(?:me |m|nous |tous |les |vos |ces |tes |le |lenvoi |denvoyer |a |aux |des |cet |votre |avec |les envois |vos envois |lenvoi de |ses )*(?:{act}|{msg}|denvoyer|envoi)\b`,
    String.raw`(?:^|\b(?:merci|svp|plait|et|donc|alors|bonjour|maintenant|desormais|mais|non|stop|ok|assez) )(?:ne |n)?(?:{imp})(?: (?:surtout|svp))* (?:plus|jamais|pas|rien|aucun)\b`,
    String.raw`(?:^|\b(?:merci|svp|plait|et|bonjour|mais|non|donc) )nenvoyez (?:plus|jamais|pas)(?: (?:aucun|jamais|plus|de|d|vos|ces|dautres))* (?:rien|a ce numero|{msg})\b`,
    String.raw`\b(?:ne|n) (?:plus|pas|jamais) (?:me |m|nous |etre )?(?:{act}|recontacter|contacte|appele|sollicite|derange|recevoir|envoyer)\b`,
    String.raw`\b(?:merci|veuillez|priere|demande|demandons|souhaite|voudrais|exige|prie)(?: (?:de|d|bien vouloir|vous|je|nous|a|que vous))* (?:ne plus|ne pas|arreter|cesser|stopper|me desabonner|me desinscrire|me retirer|me supprimer|me rayer|me desabonner)\b(?: \w+){0,5}? ?(?:{msg}|{act}|liste\w*|contacter|desabonner|desinscrire|recevoir|fichier\w*|envois?)?`,
    String.raw`\b(?:je|j|on|nous) (?:ne |n)?(?:veux|veut|voulons|souhaite|souhaitons|desire|desirons|accepte|tiens|voudrais|souhaiterais)(?: (?:vraiment|absolument|surtout))* (?:plus|pas|aucun|jamais)(?: (?:du tout|jamais|a))*(?: (?:recevoir|avoir|lire|voir|etre|que vous|quon|que lon|de|d|vos|ces|tes|aucun|des|autres|dautres|tous|me|m|les|votre|par|plus|cette|ce|rien|entendre|jamais|tout))* ?(?:{msg}|{act}|contactee?|appelee?|sollicitee?|derangee?|importunee?|mappeliez|menvoyiez|mecriviez|contactiez|derangiez|mappelle|menvoie|mecrive|me contacte|parler de vous|relancee?|harcelee?)\b`,
    String.raw`\b(?:je|j) (?:ne |n)?(?:veux|souhaite|desire|voudrais|aimerais)(?: (?:bien|donc))* (?:arreter|cesser|stopper|annuler|supprimer|resilier)(?: (?:de|les|vos|ces|recevoir|la|lenvoi|reception|des|mes|tous|mon|labonnement|abonnement|a|aux|d))* (?:{msg})\b`,
    String.raw`\b(?:retirez|retire|retirer|enlevez|enleve|enlever|supprimez|supprime|supprimer|effacez|efface|effacer|rayez|raye|rayer|otez|virez|eliminez|oubliez|oublie|desactivez)(?: (?:svp|donc|moi|nous|definitivement))* ?(?:moi|mon (?:numero|nom|mail|email|adresse|portable|contact)|mes (?:coordonnees|donnees|infos|informations)|ce numero|nous)\b`,
    String.raw`\b(?:desabonn\w+|desinscri\w+|me desabonner|me desinscrire|desabonnement|desinscription|desabonne)\b`,
    String.raw`\b(?:laissez|laisse|fichez|fiche|foutez|fous|lachez|lache|laissez donc)(?: (?:donc|moi|nous|un peu))* (?:tranquille|en paix|la paix|la grappe)\b`,
    String.raw`\b(?:retire|revoque|reprends|annule)(?: (?:par la presente|donc))* mon (?:consentement|accord|autorisation)\b`,
    String.raw`\b(?:annulez|annuler|jannule|resiliez|resilier|je resilie|arretez|stoppez|supprimez|terminez|desactivez|coupez)(?: (?:svp|mon|mes|cet|l|les|ces|vos|tous|ma|la))* (?:abonnement|labonnement|souscription|{msg})\b`,
    String.raw`^(?:(?:stop|svp|merci|non|sil vous plait|bonjour|je veux|ok|allez) )*(?:plus (?:de|aucun|daucun|jamais de|un seul)|assez (?:de|d)|aucun|pas de|marre de|halte aux?|stop aux|stop a|fini les|basta les|y en a marre de|non aux)(?: (?:ces|vos|tous|autres?|nouveaux?|tes|ce genre de|mes|plus de|cette|toutes?))* ?(?:{msg})\b`,
    '^(?:(?:svp|merci|maintenant|vous pouvez|pouvez vous|peux tu|bonjour|sil|vous|plait|mais|s il|te|ca|on) )*(?:stop|arretez|arrete|arreter|cessez|stoppez)(?: (?:svp|merci|maintenant|tout|ca|cela|tout de suite|immediatement|sil|vous|te|plait|s il|de suite|un peu|la|donc))*$',
    String.raw`\bje (?:moppose|refuse|minterdis)(?: (?:de|a|tout|toute|tous|vos|desormais|recevoir|les|ces|d))* (?:{msg}|contact|{act}|prospection|demarchage)\b`,
    String.raw`\bplus rien (?:recevoir|de votre part)\b|\bne plus rien recevoir\b|\bveux plus (?:rien |jamais )?(?:recevoir|entendre parler)`,
  ),
  hints: patterns(
    fr,
    String.raw`\b(?:mauvais|faux|pas le bon) numero\b|\btrompe\w* de numero\b|\berreur de numero\b`,
    String.raw`^(?:(?:ca|ok|bon|la) )*(?:suffit|ca suffit|assez|basta|spam|degagez|degage|cassez vous|allez vous faire \w+|fini|plus rien|jen ai marre|marre|jen peux plus)(?: (?:maintenant|svp|merci))*$`,
    String.raw`\bcomment\b(?: \w+){0,5}? (?:desabonn\w*|desinscri\w*|(?:arreter|stopper|annuler|supprimer|resilier|ne plus)\b.*\b(?:recevoir|{msg}|abonnement|ca))\b`,
    String.raw`\b(?:marre|trop|ras le bol|fatigue|fatiguee|assez|agacant|lasse)\b(?: \w+){0,3}? ?(?:{msg})\b`,
    String.raw`\b(?:bloque|signale|bloquer|vais bloquer|vais signaler)\b(?: \w+){0,2}? (?:numero|vous|spam|expediteur)\b`,
    String.raw`\bje n?ai (?:jamais|pas|rien) (?:demande|accepte|souscrit|consenti|donne mon accord)\b`,
  ),
  never: patterns(
    fr,
    String.raw`\b(?:ne|n) ?(?:arretez|arrete|arreter|arretes|arretons|cessez|cesse|cesser|stoppez|desabonnez|desinscrivez|supprimez|retirez|me desabonnez|marretez|me desinscrivez|me retirez|me supprimez|me laissez|laissez|me laisse|annulez)\w* (?:pas|jamais|surtout|plus)\b|\bn(?:arrete\w*|annule\w*)\b|\bne (?:cesse\w*|supprime\w*|retire\w*|stoppe\w*) \w+`,
    String.raw`\b(?:veux|souhaite|voudrais|faut|desire) (?:surtout )?pas (?:que vous )?(?:arret\w*|cess\w*|desabonn\w*|desinscri\w*|me desabonner|me desinscrire|stopp\w*|annul\w*|rater|manquer|perdre|vous deranger|deranger)\b`,
    String.raw`\b(?:vous|tu|il|elle|on|ils|elles|personne|qui) (?:ne |n)?(?:me |m|nous )(?:\w+) (?:plus|pas|jamais|rien)\b`,
    String.raw`\b(?:je|on|nous|j) (?:ne |n)?(?:recois|recoit|recevons|ai|avons|trouve|vois|comprends|recu|peux|sais|retrouve)(?: (?:toujours|encore|pourtant))* (?:plus|pas|aucun|jamais)\b`,
    String.raw`\b(?:pourquoi|depuis|quand|apres que)\b(?: \w+){0,5}? (?:plus|arrete|cesse|stoppe|pas|desabonnee?|desinscrite?)\b`,
    String.raw`\b(?:envoyez|envoie|donnez|voudrais|veux|recevoir|avoir|obtenir|souhaite|aimerais)(?<!\bne \w+)(?: (?:moi|nous|svp|bien|recevoir|avoir))* plus (?:de|d)\b(?! (?:vos|tes|ces))`,
    String.raw`^(?:il n?y a|y a|il ny a|je nai) (?:plus|pas|aucun)\b`,
    String.raw`\b(?:arreter|arrete|arretez|cesser|cessez|annuler|annulez|supprimer|retirer|retirez|enlever|enlevez|stopper|desinscri\w*|desabonn\w*|supprimez|effacez)\b.*\b(?:traitement|medicaments?|comprimes?|cigarette|fumer|rendez vous|rdv|liste dattente|cours|platre|points|dent|pilule|saignements?|douleur|antibiotiques?|seance|fils|gym|salle|cantine|magazine|journal)\b`,
    String.raw`\b(?:dit|demande|demander|dire|prie) (?:a (?:mon|ma|mes) \w+|a \w+|lui|leur) (?:de|d) (?:arreter|ne|cesser|marreter)`,
    String.raw`\b(?:lui|leur) (?:ai |avoir )?(?:dit|demande)\b`,
    String.raw`\b(?:ex|mari|femme|voisin|chef|patron|fils|fille|copain|il|elle)\b(?: \w+){0,3}? (?:narrete|ne me laisse|me harcele|ne cesse|narretait)\b`,
    String.raw`\b(?:ne|n) (?:me |nous )?(?:laissez|laisse)\b`,
    String.raw`\bpas de (?:{msg})(?: (?:ce|cette|hier|aujourdhui|pour linstant|recu|depuis|de (?!votre|vous|votre part)|encore|arrive|du))`,
    String.raw`\barret (?:de bus|maladie|de travail|du bus)\b|\ben arret\b`,
    String.raw`\bpour vous (?:desabonner|desinscrire)\b|\bse desabonner\b|\bcliquez\b`,
  ),
  doubts: patterns(
    fr,
    String.raw`\b(?:avant|apres|la nuit|le matin|le soir|pendant|aujourdhui|demain|ce soir|ce matin|quand|lorsque|si|jusqu\w*|le week ?end|dimanches?|samedis?|lundis?|vendredis?|en ce moment|plutot|par (?:courrier|lettre|fax)|sur mon fixe|au travail|aussi (?:souvent|tot|tard)|trop (?:tot|tard|souvent)|entre|tant que|a propos|concernant|au sujet|sauf|cette semaine|en reunion|a cette heure|heures?|en double|deux fois|memes?|en anglais|en francais|lieu|ancien|ma mere|mon pere|mon mari|ma femme|mais (?:appelez|ecrivez|envoyez|contactez))\b`,
    String.raw`\b(?:consentement|accord|autorisation) (?:pour|a|au) (?!(?:la |le |les |l|recevoir |toute |tout |vos |votre |des )*(?:{msg}|contact|reception|envoi|prospection))\w`,
    String.raw`\b(?:comment|est ce que je|puis je|dois je|qui|peut etre|quoi|faut il|que se passe)\b`,
  ),
  both: [
    /\b(?:d?arret(?:er|ez|e)|cess(?:er|ez|e)|stopp?\w*|assez|plus|ne plus|marre|desabonn\w*|fini|finissez|refuse|retir\w*|enlev\w*)\b/u,
    /\b(?:messages|sms|textos|envois|publicites?|pubs|spams?|newsletters?|sollicitations?|me contacter|mecrire|menvoyer|mappeler|me deranger|me harceler|vos (?:listes?|fichiers?)|votre (?:liste|fichier|base)|de votre part)\b/u,
  ],
  requests:
    /\b(?:pouvez|pourriez|voulez|voudriez) vous\b|\b(?:peux|pourrais|veux) tu\b|\bvous pouvez\b|\bsil (?:vous|te) plait\b|\bsvp\b|\bmerci de\b/u,
};

const es = {
  msg: 'mensajes?|sms|textos?|mensajitos|correos?|mails?|e ?mails?|boletin(?:es)?|notificacion(?:es)?|avisos?|recordatorios|alertas?|publicidad|propaganda|spam|llamadas?|promociones|mensajeria|comunicaciones|whatsapps?|informacion de ustedes',
  inf: 'enviarme|mandarme|escribirme|llamarme|molestarme|contactarme|enviar|mandar|escribir|llamar|molestar|contactar|textearme|hablarme|acosarme|bombardearme|spamearme|enviarnos|mandarnos|llamarnos|escribirnos|fastidiar|fastidiarme|marcarme|buscarme|mensajearme',
  imp: 'envien|envie|envies|enviais|enviad|manden|mande|mandes|escriban|escriba|escribas|llamen|llame|llames|contacten|contacte|contactes|molesten|moleste|molestes|texteen|texteen|marquen|marque|busquen|hablen|hable|acosen|fastidien|mandeis|envieis|llameis|escribais|molesteis|remitan|spameen|mensajeen|contacteis|(?:esten|sigan|siga|sigas) (?:enviando|mandando|escribiendo|llamando|molestando)',
};
const spanish: OptOutRules = {
  says: patterns(
    es,
    String.raw`(?:^|\b(?:por favor|favor|que|y|quiero|ya|porfa|pido|solicito|podrian|podria|pueden|puede|puedes|podrias|ruego|exijo|ustedes|basta|hola|gracias|de)) ?\b(?:dejen|deje|deja|dejad|dejar|paren|pare|para|parar|parad|cesen|cesar|eviten|evite)(?: (?:ya|por favor|porfavor|porfa|inmediatamente|porfis))*(?: de)?(?: (?:una vez|ya))* (?:{inf})\b`,
    String.raw`(?:^|\b(?:por favor|favor|que|y|ya|pero|porfa|porfavor|gracias|hola|entonces|nunca|quiero que)) ?(?:no|nunca|jamas) (?:me|nos|vuelvan a|vuelva a|vuelvas a|me vuelvan a|me vuelva a)(?: (?:me|nos|vuelvan a|vuelva a))* ?(?:{imp}|{inf})\b`,
    String.raw`(?:^|\b(?:por favor|favor|y|ya|pero|porfa|porfavor|hola)) ?(?:no|nunca|jamas) (?:{imp}) (?:mas|nunca|nada|(?:{msg}))(?: (?:mas|a este numero|a mi numero|aqui|nada|{msg}))*`,
    String.raw`\b(?:ya )?(?:no|nunca|tampoco) (?:quiero|quisiera|queremos|deseo|deseamos|necesito|me interesa|acepto|autorizo|me interesan|consiento|quisiera)(?: (?:mas|ya|seguir|volver a|recibir|recibiendo|tener|que|me|nos|sus|tus|estos|esos|ningun|ninguna|los|las|leer|ver|ser|nada|de|ustedes|de ustedes|ni|a|otros|otro|la|mis|el|envio|este|tipo|vuestros|ningunos))* ?(?:{msg}|{imp}|{inf}|contactad[oa]|molestad[oa]|saber (?:nada )?de ustedes|ser contactad[oa]|llamen|escriban|envien|contacten)\b`,
    String.raw`\b(?:quiero|quisiera|deseo|me gustaria|necesito|solicito|pido|queremos)(?: (?:ya|que|dejar de|parar de))* ?(?:dejar de|parar de|parar|detener|cancelar|anular|suspender|no|eliminar)(?: (?:recibir|de|los|las|sus|estos|esos|me|envien|mas|el|envio|la|mi|que|todos))* (?:{msg}|suscripcion)\b`,
    String.raw`^(?:(?:por favor|porfa|porfavor|gracias|ya|quiero|hola|y|ok) )*(?:no mas|basta(?: ya)?(?: de| con)?(?: los| tantos)?|ni un|ni un solo|ningun|ya no mas|nada de|no)(?: (?:de|mas|los|sus|tantos|con|estos|esos|otro|solo|tus))* (?:{msg})\b`,
    String.raw`\b(?:borren|borre|borra|borrar|borrad|eliminen|elimine|elimina|eliminar|quiten|quite|quita|quitar|saquen|saque|saca|sacar|retiren|retire|retira|olviden|olvida|olvide|supriman|suprima|remuevan)(?:me|nos)?(?: (?:por favor|ya|a mi|inmediatamente))* (?:mi (?:numero|telefono|nombre|celular|correo|movil|contacto|email)|mis (?:datos|contactos)|este numero|de (?:la|su|sus|esta|esa|tu|vuestra|las|todas) (?:lista|listas|base|agenda|sistema|registro|registros|grupo))\b`,
    String.raw`\b(?:borrenme|eliminenme|borrame|eliminame|borreme|elimineme|desuscrib\w+|desubscrib\w+|desinscrib\w+|desapunt\w+|borradme|quitadme|desafilienme)\b`,
    String.raw`\b(?:dar|darme|darnos|denme|deme|dame|den|de|doy|dadme|dan)(?: (?:me|por favor|ya|mi|numero))* ?(?:me )?de baja\b|\bbaja (?:del|de la|de los|de las|de este|de esta|por favor|inmediata)? ?(?:servicio|lista|sms|mensajes|suscripcion|avisos|notificaciones|boletin)\b|\b(?:quiero|solicito|pido|deseo|tramitar) (?:la |mi )?baja\b`,
    String.raw`\b(?:cancelar|cancelen|cancele|cancela|anular|anulen|anule|terminar|suspendan|suspender|detengan|detener|desactiven|desactivar|desactiva|desactive|cancelo|detenga|suspenda|detenganse)(?: (?:mi|la|el|los|las|sus|estos|esta|todos|por favor|ya|envio|de|envios|tus))* (?:suscripcion(?:es)?|{msg}|servicio de (?:mensajes|sms)|suscripciones)\b`,
    String.raw`\b(?:dejenme|dejame|dejeme|dejadme|dejennos)(?: (?:ya|por favor))* (?:en paz|tranquil[oa]|vivir)\b`,
    String.raw`\b(?:retiro|revoco|cancelo|anulo)(?: (?:por la presente))* mi (?:consentimiento|autorizacion|permiso)\b`,
    '^(?:(?:por favor|porfa|porfavor|ya|pueden|puede|hola|gracias) )*(?:paren|pare|parar|para|basta|detenganse|alto|stop|dejen|parenle|parele|parad)(?: (?:ya|por favor|porfavor|porfa|con esto|gracias|de una vez|todo|inmediatamente|de una|favor|con eso|esto))*$',
    String.raw`\b(?:me opongo a|prohibo|rechazo)(?: (?:que|recibir|el|los|sus|mas|me|cualquier|todo|tipo de))* ?(?:{msg}|{imp}|contacto|envio)\b`,
  ),
  hints: patterns(
    es,
    String.raw`\bnumero equivocado\b|\bequivocad[oa]s? de (?:numero|persona)\b|\bse (?:equivocan?|equivocaron)\b`,
    '^(?:(?:ya|pues|que) )*(?:basta|suficiente|es suficiente|ya estuvo|ya estuvo bueno|spam|largo|no mas|nada mas|larguense|no molesten|vayanse|ni uno mas|me tienen hart[oa])(?: (?:ya|gracias|por favor))*$',
    String.raw`\bcomo\b(?: \w+){0,4}? (?:de baja|desuscrib\w*|desapunt\w*)\b`,
    String.raw`\bcomo\b(?: \w+){0,4}? (?:cancelo|cancelar|dejo de|dejar de|paro|parar|detengo|desactivo|desactivar|anulo|anular|quito|quitarme|salir|salgo)\b(?: \w+){0,4}? (?:{msg}|suscripcion|lista)\b`,
    String.raw`\b(?:hart[oa]|cansad[oa]|demasiados|muchos|tantos|aburrid[oa]|estuvo bueno)\b(?: \w+){0,3}? ?(?:{msg})\b`,
    String.raw`\b(?:bloqueo|bloquear|denuncio|denunciar|reporto|reportar|bloqueare|denunciare)\b(?: \w+){0,2}? ?(?:numero|los|spam|este|ustedes)\b`,
    String.raw`\b(?:nunca|no|jamas)(?: \w+)? (?:me suscribi|di mi consentimiento|pedi|solicite|autorice|me registre|acepte)\b`,
  ),
  never: patterns(
    es,
    String.raw`\b(?:no|nunca|jamas)(?: (?:me|nos|quiero|quisiera|por favor|que|deseo|puedo|puede|pude|hay que|se|debo|vayan a|quiero que))* (?:dejen?|deja|dejes|dejar|dejo|dejan|dejeis|paren?|para|pares|parar|paro|paran|cancelen?|cancelar|cesen?|cesar|borren?|eliminen?|quiten|saquen|desuscri\w*|den de baja|darme de baja|den baja|dejen)\b(?! (?:recibir )?(?:ni|mas))`,
    // Something else is not to be sent: "no manden más la carta".
    String.raw`\bno (?:me |nos )?(?:{imp}) mas (?:la|el|las|los|un|una) (?!(?:\w+ )?(?:{msg})\b)`,
    String.raw`\bno (?:quiero|quisiera|deseo) (?:perder|perderme|molestar|faltar|olvidar|dejar|interrumpir|causar)\b`,
    String.raw`\b(?:por que|porque|cuando|desde que|si) (?:me |nos |ya )*(?:dejaron|dejo|pararon|cancelaron|dieron)\b`,
    String.raw`\b(?:por que|porque) (?:ya )?no (?:me|nos)\b`,
    String.raw`\b(?:ustedes|usted|nadie|ellos|el|ella|tu|ya|todavia|aun) (?:ya |casi |todavia |aun )?(?:no|nunca) (?:me|nos) (?:llaman?|escriben?|envian?|mandan?|contactan?|responden?|llamas|escribes|mandas|contestan?|han|ha|llamo|llamaron|enviaron|escribio)\b`,
    String.raw`\bno (?:me |nos )(?:llego|llegan?|llegaron|han|ha|llamo|llamaron|envio|enviaron|mandaron|mando|escribio|aparece|deja|dejan|funciona|llegado|sale|contestan|responden)\b`,
    String.raw`\b(?:no|ya no) (?:recibo|recibi|recibimos|he recibido|tengo|hay|veo|tuve|tenia|he visto|encuentro|entiendo)\b`,
    String.raw`\b(?:dejar|dejo|deja|cancelar|cancelo|cancelen|quitar|quiten\w*|eliminar|saquen\w*|sacar\w*|parar|anular|baja|quitarme|borren|desuscrib\w*|retiren|retirar)\b.*\b(?:medicamentos?|pastillas?|tratamiento|cita|fumar|lista de espera|clase|puntos|yeso|medicina|antibioticos?|dosis|sangrado|dolor|gimnasio|medica|laboral|por enfermedad|por maternidad|seguro|muela|curso|incapacidad|revista|periodico|seguridad social)\b`,
    String.raw`\b(?:dile|diganle|le dije|le pedi|decirle|pedirle|digale|les dije|pidele)(?: a \w+(?: \w+)?)? que (?:no|deje|pare|dejara|parara|me deje)\b`,
    String.raw`\b(?:mi ex|mi esposo|mi esposa|mi vecino|mi jefe|mi marido|mi mujer|el perro|un hombre)\b(?: \w+){0,2} no (?:deja|para|me deja)\b`,
    String.raw`\bno (?:me|nos) (?:dejen?|dejes|deja) (?:sol[oa]|en)\b`,
    String.raw`\b(?:no|sin) mensajes?(?: (?:nuevos|hoy|todavia|ayer|recibidos|aun|del|en|desde|por ahora))`,
    String.raw`\bpara (?:dar\w*|cancelar|darse|desuscrib\w*)(?: de baja)?(?: \w+){0,4}? (?:haga|pulse|responda|envie|visite|haz|entra|clic)\b`,
    String.raw`\b(?:parada|baja california|planta baja|la baja de precio|presion baja|voz baja|baja presion)\b`,
  ),
  doubts: patterns(
    es,
    String.raw`\b(?:antes|despues|por la (?:noche|manana|tarde)|de noche|en la noche|hoy|manana|ahora no|ahorita|cuando|si estoy|si no|hasta|mientras|durante|los (?:domingos|sabados|lunes|viernes|fines)|el fin|fines de semana|sino|mejor|en lugar|en vez|tan (?:seguido|temprano|tarde)|tantas veces|sobre (?:el|la|los)|acerca|respecto|por (?:correo postal|carta|fax)|en el trabajo|trabajo|esta semana|a esta hora|a las|en horario|salvo|excepto|solo|entre|dobles?|duplicados|repetidos|dos veces|los mismos|en ingles|en espanol|fijo|mi madre|mi padre|mi esposo|mi marido|mi mujer|reunion|muy temprano|muy tarde|pero (?:llamenme|escribanme|envienme))\b`,
    String.raw`\b(?:consentimiento|autorizacion|permiso) (?:para|a) (?!(?:la |el |los |recibir |que |me |sus |cualquier )*(?:{msg}|contact|envi|recib|llam|comunic|mensaj))\w`,
    String.raw`\b(?:como|que pasa|que|puedo|debo|tengo que|quien|donde|tal vez|quizas?)\b(?= (?:hago|pasa|dejar|cancelar|darme|parar|hay|dejo|sucede))`,
  ),
  both: [
    /\b(?:dejen|deje|dejar|dejad|deja|paren|pare|parar|basta|alto|deten\w*|ya no|no mas|no (?:quiero|deseo)|no (?:enviar|mandar|llamar|escribir|contactar|enviarme|mandarme|molestar)|cese\w*|suspend\w*|cancel\w*|de baja)\b/u,
    /\b(?:mensajes|sms|textos|notificaciones|publicidad|propaganda|spam|boletin\w*|contactarme|escribirme|llamarme|enviarme|mandarme|molestarme|recibir nada|nada de ustedes|su lista|sus listas)\b/u,
  ],
  requests: /\b(?:pueden?|puedes|podrian?|podrias|podeis|quieren|quieres)\b|\bpor ?fa\w*\b/u,
};

const th = {
  msg: 'ข้อความ|เอสเอ็มเอส|sms|การแจ้งเตือน|แจ้งเตือน|อีเมล์?|โฆษณา|ข่าวสาร|เมล์?|โปรโมชั่น|สแปม|จดหมายข่าว|การติดต่อ|สายโทร|แมสเสจ|เมสเสจ|text',
  act: 'ส่ง|โทร|ติดต่อ|ทัก|รบกวน|แชท|ก่อกวน|กวน|ตื๊อ|พิมพ์|เมล|สแปม|ยุ่ง',
  free: '[^ ]{0,14}?',
};
const thai: OptOutRules = {
  says: patterns(
    th,
    '(?:หยุด|เลิก|งด|ระงับ|ยุติ|พอ)(?:การ|ที่จะ|จะ|ทำการ)?(?:{act})(?!ของ|ยา|อาหาร|พัสดุ|เอกสาร|ลูก|งาน|ผล)',
    '(?:หยุด|เลิก|งด|ระงับ|ยกเลิก|ยุติ|ปิด)(?:การ|รับ|การรับ|ส่ง|การส่ง|ได้รับ|บริการ|ระบบ| )*(?:{msg})',
    '(?:ยกเลิก|เลิก|งด|ระงับ)(?:การ)?(?:ส่ง|รับ|สมัครรับ|สมัคร|เป็นสมาชิก|ติดตาม|subscribe|ติดต่อ)(?!ยา|ของ|อาหาร|พัสดุ|เอกสาร)',
    '(?:อย่า|ไม่ต้อง|ห้าม|กรุณาอย่า|โปรดอย่า)(?:มา|ได้|ให้|กลับ|ทำการ|คอย)?(?:{act})(?:มา|เข้ามา|ไลน์|หา|กลับมา|ให้|ฉัน|ผม|หนู|ดิฉัน|เรา|ที่|เบอร์|นี้| |อะไร|ข้าพเจ้า|ถึง|กับ)*(?:อีก|{msg}|แล้ว|เลย|เบอร์นี้|ฉัน$|ผม$|หนู$|ดิฉัน$|เรา$)',
    '(?:อย่า|ไม่ต้อง|ห้าม)(?:มา|ได้)?(?:ส่ง|โทร|ติดต่อ|ทัก|รบกวน|ยุ่ง)(?:มา|หา|กับ|เข้ามา)?(?:ฉัน|ผม|หนู|ดิฉัน|เรา|หรือ|ที่เบอร์นี้)?(?:อีก|แล้ว|เลย)?(?:นะ|ค่ะ|ครับ|คะ|ได้ไหม|ได้มั้ย| )*$',
    'ไม่(?:อยาก|ต้องการ|ประสงค์|ประสงค์จะ|ขอ|เอา|ยินดี|สะดวก|สนใจ|ยินยอม|อนุญาต)(?:ที่)?(?:จะ)?(?:ให้)?(?:ได้)?(?:คุณ|ทาง|บริษัท|คลินิก|ใคร|ทางคลินิก)?(?:รับ|อ่าน|เห็น|มี|ส่ง|มา| )*(?:{msg}|sms|ติดต่อ|ถูกติดต่อ|โทรหา|โทรมา|ส่งมา|ถูกรบกวน|รบกวน|การรบกวน)',
    'ไม่(?:อยาก|ต้องการ|ยินยอม)ให้(?:{free})(?:ส่ง|โทร|ติดต่อ|ทัก|รบกวน)',
    '(?:ลบ|เอา|ถอด|ตัด|นำ|ถอน)(?:เบอร์|ชื่อ|หมายเลข|ฉัน|ผม|ข้อมูล|ดิฉัน|หนู|อีเมล)(?:{free})(?:ออก|จากรายชื่อ|จากระบบ|จากลิสต์|ทิ้ง)',
    'ออกจาก(?:รายชื่อ|ลิสต์)(?:ผู้)?(?:รับ|{msg})',
    '(?:ลบ)(?:เบอร์|หมายเลข)(?:โทรศัพท์)?(?:ของ)?(?:ฉัน|ผม|ดิฉัน|หนู|นี้)',
    '(?:ขอ)?ยกเลิก(?:การ)?(?:รับ|สมัคร|เป็นสมาชิก|การเป็นสมาชิก)',
    '(?:ถอน|เพิกถอน|ยกเลิก)(?:การให้)?(?:ความยินยอม|คำยินยอม)',
    '(?:เลิกยุ่ง|อย่ามายุ่ง|อย่ายุ่ง|ปล่อยฉันไป|ปล่อยให้ฉันอยู่|ขออยู่เงียบ)',
    '(?:พอแล้ว|พอที|พอเถอะ|พอ)(?:กับ|สำหรับ)?(?:{msg})',
    'ไม่(?:เอา|รับ)(?:{msg})(?:แล้ว|อีก|เพิ่ม)?',
    'ไม่ต้องการ(?:แล้ว)?(?:ติดต่อ|การติดต่อ|รับการติดต่อ)',
    '^(?:ได้โปรด|กรุณา|โปรด|ช่วย|ขอให้)?(?:หยุด|เลิก|พอ)(?:ได้แล้ว|ที|เถอะ|เดี๋ยวนี้|สักที|เลย|ทันที)(?:นะ|ค่ะ|ครับ|คะ|ที| )*$',
    '(?:ขอ)?(?:opt ?out|unsubscribe)(?:{free})(?:ค่ะ|ครับ|หน่อย|ที)',
  ),
  hints: patterns(
    th,
    'ผิดเบอร์|โทรผิด|ส่งผิด(?:คน|เบอร์)|ไม่ใช่เบอร์|ผิดคน',
    '^(?:พอ|พอแล้ว|รำคาญ|น่ารำคาญ|สแปม|ไปให้พ้น|หยุดเถอะ|เลิกเถอะ|ไม่เอาแล้ว|ไม่รับแล้ว)(?:นะ|ค่ะ|ครับ|คะ|จริง|มาก| )*$',
    '(?:รำคาญ|เบื่อ|มากเกินไป|เยอะเกินไป|เยอะไป|เหนื่อย)(?:{free})(?:{msg})|(?:{msg})(?:{free})(?:รำคาญ|มากเกินไป|เยอะเกินไป|เยอะไป)',
    '(?:จะ|ขอ)(?:บล็อก|บล๊อก|แจ้งความ|รายงาน)',
    '(?:ไม่เคย|ไม่ได้)(?:สมัคร|ขอ|ยินยอม|อนุญาต|ลงทะเบียน)',
  ),
  never: patterns(
    th,
    '(?:อย่า|ไม่|ไม่ได้|ห้าม|ไม่เคย|อย่าเพิ่ง|อย่าพึ่ง)(?:เพิ่ง|พึ่ง|ได้|ต้อง|อยาก|อยากให้|ต้องการ|ต้องการให้|ต้องการที่จะ|ควร|ให้|คิดจะ|คุณ|อยากจะ|ยอม|สามารถ| )*(?:หยุด|เลิก|ยกเลิก|งด|ลบ|ปิด|ระงับ)',
    'ทำไม|เพราะอะไร|เหตุใด',
    '(?:หยุด|เลิก)(?:กิน|ทาน|ใช้|สูบ|ดื่ม|เลือด|ไอ|ยา|คิด|ร้อง|หัวเราะ)',
    'ไม่(?:ได้รับ|เห็น|มี|เจอ|พบ|เข้าใจ|ทัน)(?!(?:ความ)?(?:อยาก|ประสงค์))',
    '(?:เขา|แฟน|แม่|พ่อ|สามี|ภรรยา|แฟนเก่า|เพื่อน|ลูก)(?:{free})(?:หยุด|เลิก|อย่า|ไม่)',
    '(?:บอก|ขอให้|สั่ง)(?:เขา|แฟน|แม่|พ่อ|เธอ)',
    '(?:คุณ|หมอ|คลินิก|ทางคลินิก)(?:ก็)?ไม่(?:เคย|ค่อย|ได้)?(?:ส่ง|โทร|ติดต่อ|ตอบ)',
    'ยกเลิก(?:การ)?(?:นัด|จอง|คิว|การนัด|ผ่าตัด|ประกัน|เรียน|คลาส)',
    'ไม่(?:อยาก|ต้องการ)(?:จะ)?(?:พลาด|รบกวนคุณ|รบกวนหมอ|รบกวนเวลา|ขาด)',
    'ป้าย(?:รถ)?|วันหยุด(?!ส่ง)',
  ),
  doubts: patterns(
    th,
    'ก่อน|หลัง|กลางคืน|ดึก|วันนี้|พรุ่งนี้|ช่วง|เวลา|ตอน|ถ้า|หาก|วันอาทิตย์|วันเสาร์|จนกว่า|จนถึง|เช้า|แทน|เกี่ยวกับ|เรื่อง|ทางไปรษณีย์|บ่อย|ขณะ|ระหว่าง|ยกเว้น|เฉพาะ|ชั่วคราว|สักพัก|อาทิตย์นี้|สัปดาห์นี้|ซ้ำ|ภาษา|ที่ทำงาน|ประชุม|แต่(?:โทร|ส่ง)|แม่ของ|เครื่องเก่า|เบอร์เก่า',
    'อย่างไร|ยังไง|อะไร(?!อีก)|ใคร|ไหน|เมื่อไ',
  ),
  both: [
    /หยุด|เลิก|ไม่ต้องการ|ไม่อยาก|ไม่ต้อง|อย่า|งด|พอแล้ว|ไม่เอา|ห้าม|ยกเลิก|ไม่รับ/u,
    /ข้อความ|sms|เอสเอ็มเอส|การติดต่อ|ติดต่อฉัน|ติดต่อมา|โทรมา|โทรหาฉัน|โฆษณา|แจ้งเตือน|ออกจากรายชื่อ|ออกจากระบบ/u,
  ],
  requests: /ได้ไหม|ได้มั้ย|ได้มั๊ย|ได้หรือไม่|หน่อย/u,
};

export const optOutRules: readonly OptOutRules[] = [english, finnish, swedish, german, french, spanish, thai];

/** How people write in haste, or without umlauts and apostrophes: what it stands for. */
export const shortWritings: readonly [RegExp, string][] = [
  [/\bun ?sub?s?c?r?i?be?(?=[ds]?\b)/gu, 'unsubscribe'],
  [/\bstp(?= \p{L}+ing\b)/gu, 'stop'],
  [/\bur\b/gu, 'your'],
  [/\b(k|m|h|aufh|l)oe(?=nn|cht|sch|r)/gu, '$1o'],
  [/\bmej\b/gu, 'mig'],
  [/\bj ?(?=veu|souhait)/gu, 'je '],
  [/\bm (?=env|ecri|app|adress|import|embet|harcel)/gu, 'm'],
  [/\bxf(?:a|avor)\b/gu, 'por favor'],
];

/** The channel that a sentence names, in any of the languages. */
export const namedChannels = {
  calls:
    /\b(?:calls?|called|calling|phone ?calls?|phoning|phone (?:me|us)|ring(?:a|er|ing|t)? (?:me|us|mig|oss|upp|till)|ringa|robocalls?|soita|soittako|soitt\w*|soittel\w*|soitatte|soitetaan|puhelu\w*|samtal\w*|uppringd|anruf\w*|anzurufen|angerufen|ruf(?:e|t|en)?|appel\w*|mappel\w*|telephon\w*|llam\w+)\b|โทร(?!ศัพท์ของ)/u,
  email:
    /\b(?:e ?mails?|e ?mailing|e ?mailed|newsletters?|sahkopost\w*|meil(?:i|ej|it|aa|atko)\w*|uutiskirj\w*|mejl\w*|mails?|mailen|maila|mailt|epost|e post|nyhetsbrev|courriels?|infolettres?|correos?|boletin(?:es)?)\b|อีเมล|จดหมายข่าว/u,
  sms: /\b(?:texts?|texting|texted|txts?|txting|sms\w*|tekst\w*|textos?|texter|textez|messa|texta|simsen|simst|texten|textmeddelanden|textnachrichten?|tekstiviest\w*)\b|เอสเอ็มเอส/u,
  /** Of the channel that it is said on. */
  here: /\b(?:messag\w*|msgs?|viest\w*|meddelande\w*|nachricht\w*|mensaj\w*|notific\w*|notif\w*)\b|ข้อความ/u,
  any: /\b(?:contact\w*|kontakt\w*|yhteyt\w*|yhteydenot\w*|consent|einwilligung|consentement|consentimiento|samtycke|suostumu\w*|alone|rauhaan|ifred|i fred|in ruhe|tranquille|la paix|en paz|hor inte av|disturb|bother\w*)\b|ติดต่อ|ยินยอม/u,
} as const;

/** Another channel is wanted instead, which may stand in another sentence. */
export const otherWish =
  /\b(?:instead|rather|istallet|i stallet|hellre|stattdessen|lieber|sondern|plutot|a la place|mejor|sino|en vez|en lugar|mieluummin|sen sijaan|vaan)\b|แทน/u;
