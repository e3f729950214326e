import type { Corpus } from './corpus.js';

export const english: Corpus = {
  sayings: `
Please stop texting me
stop texting me!!!
Can you please stop sending me messages?
Don't text me anymore
dont message me any more
Do not contact me again.
I don't want any more messages
I no longer wish to receive these texts
I don't want to get these messages anymore
Take me off your list
please remove my number from your system
Remove me from this list please
UNSUBSCRIBE ME NOW
I want to unsubscribe
I'd like to opt out of these messages
opt me out pls
Leave me alone
leave me alone please, I am not interested
No more texts please
no more of these messages thanks
Enough with the texts
Quit messaging me
Stop it
Please just stop
stop stop stop
I want you to stop texting me
You need to stop contacting me
I asked you to stop texting me
I told you not to text me again
Please do not send me any more messages
Don't send anything to this number
stop spamming me
cancel these text alerts
Cancel my subscription
I revoke my consent to be texted
I withdraw my permission to contact me
Please delete my number
lose my number
Would you please stop bothering me
never text me again
Don't ever contact me again
I'm not interested in receiving your messages
Hi, thanks for everything but please stop the reminders
Stop sending me this stuff
turn off these notifications
make these messages stop
put me on your do not call list
stop calling me
don't call me ever again
Please don't call or text me
I don't want to be contacted
I do not want to hear from you anymore
get me off this list
kindly refrain from messaging me
end these messages
I am sick of these texts
you keep texting me
wrong number
This is the wrong number, stop texting
I never signed up for this
how do I unsubscribe?
How do I stop these messages?
I'll block this number
please cease all communication, no more messages
you guys wont stop texting me
take my name off of your mailing list
could u stop msging me
plz stop txting me
no texts please
Discontinue these messages
Please take me off of your texting list
I'd appreciate if you would stop contacting me
Not interested, remove me
stop w the texts
stop with these messages already
do not send me texts
Do not send me anything else
I dont need these reminders any more
this is harassment, stop texting me
Can someone please stop these messages
I'm asking you one last time to stop messaging me
I would like to stop receiving these messages
How can I get off this list
delete me from your contacts
Please unsubscribe this number
Stop notifications
no more sms
please discontinue text messages to this number
don't want your texts
I never want to hear from you again
You have been told to stop texting
Please quit calling my phone
cut it out with the messages
do me a favor and stop texting
im opting out
pls quit msging me
Take my name off this list.
TAKE ME OFF UR LIST!!!
dont text this number again
Wrong person, please remove this number from your system
plz stp txting me
Enough with the texts already 😡
No more texts please, thank you. Margaret
i dont want these anymore
Kindly cease all communication with me.
you have the wrong number stop texting
Could you kindly stop sending me these reminders? Best, Harold
STOP sending me this crap
unsubcribe
Un subscribe me please
how do i get off this list
how do I stop these messages
I never signed up for this. Remove me
ＳＴＯＰ texting me
STOP 🛑🛑🛑
I said stop!!!!
i'd like to opt out of these thx
opt me out
Quit bugging me
not interested, remove me
please delete my number & dont contact me again
fuck off and stop texting
Do not contact me again. - Regards, Pat
cancel these texts
cant u just stop messaging me??`,
  nearMisses: `
Stop by at noon?
I'll stop by the clinic at 3
How do I stop the pain?
Should I stop taking the tablets?
don't stop sending me reminders
Please don't stop texting me, it helps
I can't stop laughing
I can't stop coughing at night
the bleeding won't stop
When can I stop taking antibiotics?
I stopped smoking last week
Where is the bus stop?
I got off one stop too early
He won't stop texting me and I am scared
My ex won't leave me alone
How do I get him to stop texting me?
I told my neighbour to stop calling the police
please don't remove me from the list
Can you remove the stitches on Monday?
Take me off the waiting list for Tuesday
Please cancel my appointment
I need to cancel tomorrow
Did you stop sending reminders?
Why did you stop texting me?
I have not received any messages
No message from you yet
there are no more texts in my inbox
I didn't get any more reminders
I don't want to miss your messages
I don't want to bother you
Never mind
no more pain today, thanks
No more headaches since Monday
I will text you when I arrive
you never text me back
You don't call me like you used to
I didn't mean to unsubscribe
I unsubscribed by mistake, please add me again
Do not unsubscribe me
I was opted out by accident
Can I opt out of the flu shot?
I want to opt out of the school lunch
I quit my job
My son quit the team
The end of the month works
That's the end of my medication
Please leave a message
leave me a message with the time
Please don't leave me alone in the waiting room
Call me when the results are there
text me the address please
Stop smoking is hard
non-stop headache since yesterday
full stop
I need to stop at the pharmacy first
is it ok to quit the diet
the alarm does not stop beeping
Don't worry, no problem
Please send me more messages like this
I want more information
thanks for the text message
My phone keeps turning off
I'd like to receive reminders by text
Does the rash go away on its own?
the pain won't go away
can you delete the second appointment
I am taking my name from my mother's side
alone at home today
It hurts when I text for long
We stop for lunch at 12
Please stop the bleeding advice, call a doctor
Can you tell me when to stop the cream?
I will stop texting now, thanks
Sorry I can't stop to talk
Please don't forget to text me
Don't text me, I'll text you
Do I have to stop eating before the test?
I want to end the treatment
please cancel
cancel my 3pm
I quit smoking yesterday
No more questions
I have no more questions
enough about that
stop worrying
She told me to stop calling her
they said stop the insulin
no text from the doctor yet
Should I delete the app
Remove the second address please
Remove my old address from my file
take me to the clinic
I'm off work today
Leave the package alone at the door
message me tomorrow
Don't send the results by post
Do not send the invoice to my wife
Please don't call the police
I can't get my daughter to stop texting
My alarm stops at 8
I don't want any surgery
I don't want to come
I don't want to wait
I want to unsubscribe from the gym, not from you
Do not cancel my appointment
It's the end of my shift
can you stop by at 5?
please don't stop, this helps me
can you stop the pain
I stopped taking the blue pills
should I stop the antibiotic?
no thanks, tuesday does not work
No
the bleeding wont stop
Cancel my appointment on Friday please
I need to cancel tomorrow, can we do next week?
Remove the second name from the booking
which bus stop is closest?
don't call me before 9, I'm asleep
don't text me at work, use the evening
I don't want to stop the program
I didn't get the message, send again
The nurse said to stop the drops, is that right?
my son keeps texting and I cannot stop him lol
no more pain today 😊
Quit smoking 3 days ago!
I want out of the hospital
I never got your text. Please resend it.
can't take it anymore, the itching is terrible
unsubscribe button in my other app does not work, how do I do it there?
Stop me if I am wrong but was it not Monday?
I would like to end my lease
can you take me off the waiting list for Thursday and put me on Friday`,
};
