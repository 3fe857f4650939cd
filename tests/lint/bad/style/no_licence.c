/* bad: the first line is not */
int a;
